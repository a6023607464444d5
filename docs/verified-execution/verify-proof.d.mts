// Generated from services/verification/contract/proof/verify-proof.ts by `npm run generate`.
export type ProofCode = "PROOF_NOT_JSON" | "PROOF_NOT_CANONICAL" | "PROOF_MALFORMED" | "ISSUER_UNKNOWN" | "SIGNATURE_INVALID" | "STATEMENT_MALFORMED" | "PROOF_ID_MISMATCH" | "CHECKPOINT_MALFORMED" | "CHECKPOINT_MISMATCH" | "CHECKPOINT_SIGNATURE_INVALID" | "LOG_UNKNOWN" | "NOT_INCLUDED" | "REMEMBERED_CHECKPOINT_INVALID" | "CONSISTENCY_REQUIRED" | "INCONSISTENT" | "LOG_SHRUNK" | "KEY_INVALID";
export type Statement = { _type: "https://in-toto.io/Statement/v1"; subject: { name: string; digest: { sha256: string; }; }[]; predicateType: "urn:tollhouse:verified-execution:v1" | "https://tollhouse.example/verified-execution/v1"; predicate: { proof_id: string; verification_id: string; approved_at: string; received_at: string; verified_at: string; verdicts: { plan_alignment: { verdict: "satisfied"; question: "holds"; engine: string; }; constraints: { verdict: "satisfied"; question: "holds"; engine: string; }; evidence: { verdict: "satisfied"; question: "holds"; engine: string; }; replay: { verdict: "satisfied"; question: "holds"; engine: string; }; }; inputs: { inputs_hash: string; intents_hash: string; evidence_hash: string; }; pins: { solver: { package: string; version: string; wasm_sha256: string; options: string[]; seed: number; rlimit: number; }; queries: { check: "plan_alignment" | "constraints" | "evidence" | "replay"; rlimit_used: number; smtlib_sha256: string; }[]; }; assurance: { failed?: number; unknown?: number; ghost_states?: string[]; reported_times?: boolean; recomputed: number; modelled: number; recorded: number; }; versions: { engine: string; policy: string; receipt: string; }; limitation: "Of the actions reported. Unreported actions and the truth of responses are not established."; }; };
/** What to verify. Everything but the proof comes from sources that the verifier trusts, or is checked against it. */
export interface ProofInput {
    /** A proof file, as `GET /api/v1/proofs/{proof_id}` answers it. The bytes must not be changed. */
    readonly proof: Uint8Array;
    /** The key file of the issuer and of the log, as `GET /api/v1/log/keys` answers it. The verifier must trust it. */
    readonly keys: Uint8Array;
    /** A checkpoint of the same log that the verifier stored earlier: the text of a signed note. */
    readonly checkpoint?: string;
    /** A consistency proof between that checkpoint and the proof's, as `GET /api/v1/log/consistency` answers it. */
    readonly consistency?: Uint8Array;
}
export interface ValidProof {
    /** The signatures and the log are valid. Verdicts are never recomputed here. */
    readonly outcome: 'valid';
    readonly statement: Statement;
    /** The signed note of the log. Store it: it detects later whether the log shows others another tree. */
    readonly checkpoint: string;
    /** What was not checked, in sentences for people. */
    readonly notChecked: readonly string[];
}
/** The proof is not valid. */
export interface InvalidProof {
    readonly outcome: 'invalid';
    readonly code: ProofCode;
    readonly message: string;
}
/** Another input than the proof cannot be used. This says nothing about the proof. */
export interface UnusableInput {
    readonly outcome: 'unusable_input';
    readonly input: 'keys' | 'consistency';
    readonly message: string;
}
/**
 * Verifies a proof without any service: that a trusted issuer signed it, that a trusted log contains it and, with
 * `checkpoint`, that the log is the one that was seen before. The verdicts stay the issuer's word: only the command
 * `tollhouse verify-proof --records` recomputes them.
 * @throws {DOMException} if the runtime has no Ed25519 in WebCrypto
 */
export declare function verifyProof(input: ProofInput): Promise<ValidProof | InvalidProof | UnusableInput>;
