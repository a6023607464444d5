import type { Finding } from '../finding.ts';
import type { TextFault } from '../text/faults/text-fault.ts';

interface Documents {
  /** Descriptions of the catalogue, as JSON texts. */
  readonly tools: readonly string[];
  readonly sheets: readonly string[];
}

interface StoredPlan extends Documents {
  /** The plan as it was sent, as JSON text. */
  readonly plan: string;
  readonly tables: readonly { readonly sha256: string; readonly text: string }[];
}

export type AuthoringTask =
  | ({
      readonly kind: 'compile';
      /** A plan in YAML. */
      readonly text: string;
      /** Texts of tables by the names of files that the plan has for them. */
      readonly files: Readonly<Record<string, string>>;
    } & Documents)
  | ({
      readonly kind: 'view';
      /** The plan that it supersedes. */
      readonly predecessor?: string;
      readonly lint: readonly Finding[];
    } & StoredPlan);

export type AuthoringTaskKind = AuthoringTask['kind'];

export interface AuthoringAnswers {
  readonly compile:
    | { readonly plan: unknown; readonly faults?: undefined }
    | { readonly plan?: undefined; readonly faults: readonly TextFault[] };
  readonly view: { readonly markdown: string };
}
