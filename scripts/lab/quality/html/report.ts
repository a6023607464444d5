import type { PageScore } from './score.ts';

/** Mean scores of the pages of one type, or of all pages. Undefined if no page has the score. */
export interface Summary {
  readonly type: string;
  readonly pages: number;
  readonly f1: number | undefined;
  readonly precision: number | undefined;
  readonly recall: number | undefined;
  /** Of runs of 4 words, for articles. */
  readonly shingleF1: number | undefined;
  readonly shinglePrecision: number | undefined;
  readonly shingleRecall: number | undefined;
  readonly present: number | undefined;
  readonly absent: number | undefined;
  readonly title: number | undefined;
  readonly author: number | undefined;
  readonly falseAuthor: number | undefined;
}

/** One row for each page type, sorted by name, and a last row for all pages. */
export function summarize(scores: readonly PageScore[]): readonly Summary[] {
  const types = [...new Set(scores.map(({ type }) => type))].sort();
  const rows = types.map((type) =>
    summary(
      type,
      scores.filter((score) => score.type === type),
    ),
  );
  return [...rows, summary('all', scores)];
}

function summary(type: string, scores: readonly PageScore[]): Summary {
  const compared = scores.filter(({ f1 }) => f1 !== undefined);
  return {
    type,
    pages: scores.length,
    f1: mean(compared.map(({ f1 }) => f1)),
    precision: mean(compared.map(({ precision }) => precision)),
    recall: mean(compared.map(({ recall }) => recall)),
    shingleF1: mean(compared.map(({ shingles }) => shingles?.f1)),
    shinglePrecision: mean(compared.map(({ shingles }) => shingles?.precision)),
    shingleRecall: mean(compared.map(({ shingles }) => shingles?.recall)),
    present: mean(scores.map(({ present }) => present)),
    absent: mean(scores.map(({ absent }) => absent)),
    title: mean(scores.map(({ isTitleExact }) => toNumber(isTitleExact))),
    author: mean(scores.map(({ isAuthorExact }) => toNumber(isAuthorExact))),
    falseAuthor: mean(scores.map(({ isAuthorFalse }) => toNumber(isAuthorFalse))),
  };
}

function toNumber(met: boolean | undefined): number | undefined {
  return met === undefined ? undefined : Number(met);
}

function mean(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length;
}
