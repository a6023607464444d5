/** How to write a plan, for a model that has no other document. */
export const PLAN_GUIDE = `How to write a plan: YAML with expressions in CEL. First read svc_tool_list and svc_tool_get.
- plan: a title. expires: RFC 3339, in the future. executions: runs per approval (1 unless written). recorded: how many actions with replay "recorded" or without a model a run may have (0). approvals: how many approvers must approve (1). supersedes: the plan_id that this plan replaces.
- given: { name: value }: constants. Numbers are exact: 100.00 is a decimal of two digits, 3 an int.
- state: { name: initial value }: every state that a tool describes; states of the plan's own need a type: { sent: "map(string(64), int, default 0)" }.
- tables: { approved: { file: approved.jsonl, key: invoice, columns: { invoice: string(64), amount: decimal(2) } } }: upload the rows with svc_create_table and pass tables: {"approved.jsonl": sha256}; or write rows: [{…}] instead of file.
- Types: string(max), int, int(0..10), decimal(2), decimal(2, 0.00..500.00), bool, enum(a, b), time, duration. Quote types with commas or braces.
- steps: { name: { tool: name@version (name@2: the highest 2.x.y), times: 3 or 0..200, where, after, effects, evidence } }. where: one condition or { id: condition }, on args.x, state.x (before the action), given names, tables. after: step or [steps] that come first; { step: 2 } at least two of them; { step: if_done } if at all. effects: { sent[args.to]: state.sent[args.to] + 1 } on states that no tool changes. evidence: { kind: { type: application/json, reads: { id: /id }, where: kind.id == response.id } }: an artifact of each action; reads are JSON pointers into it. Bind the evidence of an act that moves money to its identity in the response.
- rules: { id: condition } over the whole run; state.x is the state after it. Of a step: sum(pay, p, p.amount), count(pay), count(pay, p, cond), pay.all(p, cond), pay.exists(p, cond), least, greatest(pay, p, value), unique(pay, p, p.invoice), pay.filter(p, cond) in their place; p.amount (argument or response), p.started_at, p.ended_at, before(a, p).
- Tables: k in approved, approved[k].amount, approved.all(r, cond). Keys of two columns: [a, b]. Maps: state.sent[k].
- Run: approved_at, approvals, approved_by("group"), timestamp("2026-01-01T00:00:00Z"), duration("24h"). Operators: ! && || == != < <= > >= + - * / % ?:, min(a, b), max(a, b).
- A rule holds only if it is definitely true: a look-up of a row that is not there makes it broken.
The example: look up order A1, then refund all of its 80.00 in one or two payments, each with a matching receipt.`;

/** The flow: shown to a client when it connects. */
export const INSTRUCTIONS = `Verified execution: someone approves a plan, an agent acts and records its actions with evidence, and the service computes from these records alone whether the actions match the plan, obey its rules, are evidenced and can be reproduced. Only then it signs a proof.

In order: svc_create_plan (key of role agent), svc_approve_plan (another key, of role approver), svc_verify_plan_alignment and svc_verify_constraints with the actions that you intend; then act; then svc_record_execution, svc_submit_evidence, svc_verify_execution and svc_get_proof. Right before each action, svc_preflight_action says whether it still fits the plan.

All tools but svc_status need an API key: Authorization: Bearer thk_…. A failed call returns {"error":{"code","message","requestId","remedy"}}: do what remedy says. The same idempotency_key with the same arguments returns the first answer.`;
