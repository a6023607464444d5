// Generated from gateway/client by `npm run generate`.
/** A plan as text (YAML with expressions in CEL) or in its canonical form. */
export type ProposedPlan = {
    readonly plan_text: string;
    /** For each file that the text names for a table: the SHA-256 of the uploaded table. */
    readonly tables?: Readonly<Record<string, string>>;
} | {
    readonly plan: object;
};
/** An action that an agent proposes. */
export interface Intent {
    readonly step_id: string;
    readonly tool: string;
    readonly tool_version: string;
    readonly args: Readonly<Record<string, unknown>>;
}
/** An action that an agent has done, or tried. Times are of RFC 3339. */
export interface ReportedAction extends Intent {
    /** `done` by default. `unknown`: it was sent, and no usable answer came. */
    readonly outcome?: 'done' | 'failed' | 'unknown';
    /** What the tool answered. For actions that are done, and only for them. */
    readonly response?: unknown;
    readonly error?: string;
    readonly started_at: string;
    readonly ended_at: string;
}
export interface NamedPlan {
    readonly plan_id: string;
    /** What is approved. Another plan has another hash. */
    readonly plan_hash: string;
}
export interface NextAction extends NamedPlan {
    /** The actions done so far, in order. */
    readonly done: readonly ReportedAction[];
    readonly action: Intent;
}
export interface Run extends NamedPlan {
    readonly actions: readonly ReportedAction[];
}
export interface Artifact {
    readonly action_id: string;
    readonly kind: string;
    readonly media_type: string;
    readonly bytes: Uint8Array;
    /** The `artifact_id` that this one replaces. */
    readonly replaces?: string;
}
interface Remark {
    readonly code: string;
    /** A JSON pointer. */
    readonly path: string;
    readonly message: string;
}
/** Only `satisfied` passes. */
export interface Verdict {
    readonly verdict: 'satisfied' | 'violated' | 'underdetermined' | 'vacuous' | 'indeterminate' | 'invalid_input' | 'engine_error';
    readonly question: 'possible' | 'holds';
    readonly reasons: readonly Remark[];
    /** Rules that contradict each other. */
    readonly core: readonly string[];
    readonly engine: string;
}
export type PlanState = 'draft' | 'approved' | 'rejected' | 'superseded' | 'withdrawn' | 'expired';
export type ExecutionState = 'recorded' | 'evidence_submitted' | 'verified' | 'refuted';
export interface CreatedPlan extends NamedPlan {
    readonly state: PlanState;
    readonly created_at: string;
    /** What is allowed but probably a mistake. */
    readonly lint: readonly Remark[];
    /** The plan that the text was compiled to. */
    readonly plan?: unknown;
}
export interface ApprovedPlan extends NamedPlan {
    /** `draft` while the plan needs more approvals. */
    readonly state: PlanState;
    readonly approval: {
        readonly by: string;
        readonly at: string;
        readonly expires_at: string;
    } | null;
    readonly approvals: {
        readonly needed: number;
        readonly given: readonly {
            readonly by: string;
            readonly group: string;
            readonly at: string;
        }[];
    };
}
export interface Check {
    readonly check_id: string;
    readonly plan_hash: string;
    readonly intents_hash: string;
    readonly result: Verdict;
    readonly preview: boolean;
    readonly checked_at: string;
}
export interface Preflight {
    readonly decision: 'allow' | 'refuse';
    readonly result: Verdict;
    /** Whether the operator has stopped writes that move money. */
    readonly frozen: boolean;
    readonly remaining: {
        readonly steps: readonly {
            readonly step_id: string;
            readonly min: number;
            readonly max: number;
        }[];
        /** `slack`: how far the rule is from being violated. Null unless it compares numbers. */
        readonly constraints: readonly {
            readonly id: string;
            readonly slack: string | null;
        }[];
    };
    /** The tool's limits for this action. */
    readonly limits: readonly object[];
    readonly checked_at: string;
}
interface RequiredEvidence {
    readonly action_id: string;
    readonly kind: string;
    readonly min: number;
}
export interface RecordedExecution {
    readonly execution_id: string;
    readonly state: ExecutionState;
    /** Why it was refuted when it was recorded. */
    readonly refused?: readonly Remark[];
    readonly execution_hash: string;
    readonly received_at: string;
    readonly actions: readonly {
        readonly seq: number;
        readonly action_id: string;
    }[];
    readonly evidence_required: readonly RequiredEvidence[];
}
export interface AttachedEvidence {
    readonly execution_id: string;
    readonly state: ExecutionState;
    readonly artifacts: readonly {
        readonly artifact_id: string;
        readonly sha256: string;
        readonly size: number;
    }[];
    /** Evidence that is still required. */
    readonly missing: readonly RequiredEvidence[];
    /** Artifacts that would refute the run: replace them. */
    readonly unreadable: readonly {
        readonly path: string;
        readonly message: string;
    }[];
}
export interface Verification {
    readonly verification_id: string;
    readonly execution_id: string;
    readonly state: ExecutionState;
    readonly inputs_hash: string;
    readonly verdicts: Readonly<Record<'plan_alignment' | 'constraints' | 'evidence' | 'replay', Verdict>>;
    /** The solver, and what it was asked. */
    readonly pins: object;
    /** Null unless every verdict is `satisfied`. */
    readonly proof_id: string | null;
}
/** A proof, which `tollhouse/verify-proof` verifies without the server. */
export interface Proof {
    readonly proof_id: string;
    readonly envelope: {
        readonly payloadType: 'application/vnd.in-toto+json';
        /** The statement, base64. */
        readonly payload: string;
        readonly signatures: readonly [{
            readonly keyid: string;
            readonly sig: string;
        }];
    };
    readonly log: {
        readonly origin: string;
        readonly index: number;
        readonly tree_size: number;
        readonly inclusion: readonly string[];
        readonly checkpoint: string;
    };
}
export {};
