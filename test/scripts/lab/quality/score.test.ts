import test from 'ava';
import { summarize } from '../../../../scripts/lab/quality/html/report.ts';
import { scorePage } from '../../../../scripts/lab/quality/html/score.ts';

const PAGE = {
  id: '1',
  type: 'article',
  url: 'https://example.com/',
  html: '',
  title: 'Toll houses',
  author: null,
  mainContent: 'a toll is paid here',
  present: ['toll is paid'],
  absent: ['imprint'],
};

test('precision and recall are shares of words, counted with repetitions', (t) => {
  const score = scorePage(PAGE, { markdown: 'A **toll** toll is paid\n', title: 'TOLL  houses', byline: 'Somebody' });
  t.is(score.precision, 4 / 5);
  t.is(score.recall, 4 / 5);
  t.is(score.isTitleExact, true);
  t.is(score.isAuthorFalse, true);
  t.is(score.isAuthorExact, undefined);
  t.is(score.present, 1);
  t.is(score.absent, 1);
});

test('a page without expected content has no F1 and does not count in the mean', (t) => {
  const scores = [
    scorePage({ ...PAGE, mainContent: ' ' }, { markdown: 'x' }),
    scorePage(PAGE, { markdown: PAGE.mainContent }),
  ];
  t.is(scores[0]?.f1, undefined);
  t.is(summarize(scores).at(-1)?.f1, 1);
});
