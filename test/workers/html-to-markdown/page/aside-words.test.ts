import test from 'ava';
import { isAsideHeading } from '../../../../workers/html-to-markdown/page/aside-words.ts';

for (const heading of [
  'You may also like',
  'COMMENTS (12)',
  '📰 Related stories',
  'Don’t miss',
  'Artículos relacionados',
  'Lo más leído:',
  'ÄHNLICHE ARTIKEL',
  'Articles similaires',
  'PUBLICITE',
  'Читайте также:',
  'Схожі новини',
  'Leia também',
  'Potrebbe interessarti anche',
  'Lees ook',
  'Czytaj także',
  'Související články',
  'İLGİLİ HABERLER',
  'EN ÇOK OKUNANLAR',
  'Bài viết liên quan',
  'Baca juga',
  'ΣΧΕΤΙΚΑ ΑΡΘΡΑ',
  '関連記事',
  'ｼｪｱする',
  '相关文章',
  '相關文章',
  '관련 기사',
  '댓글 3',
  'مقالات ذات صلة',
  'دیدگاه‌ها',
  'ديدگاه‌ها',
]) {
  test(`"${heading}" is a heading of an aside`, (t) => {
    t.true(isAsideHeading(heading));
  });
}

for (const heading of [
  '',
  '12',
  'See also',
  'Comments on the law',
  'The related articles',
  'the',
  'Recommended',
  'Teile',
  'Similar triangles',
  'Follow redirects',
  '関連研究',
  'Комментарии в настройках',
]) {
  test(`"${heading}" is not a heading of an aside`, (t) => {
    t.false(isAsideHeading(heading));
  });
}
