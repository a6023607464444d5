/** How to write a plan, for a model that has no other document. */
export const PLAN_GUIDE = `How to write a plan: YAML, with conditions in CEL. Read svc_tool_list and svc_tool_get first.
- plan: title. expires: RFC 3339. Unless written: executions: 1 (runs per approval), recorded: 0 (how many actions may be believed instead of modelled), approvals: 1, no supersedes (a plan_id), no reserve (10m: before an act).
- given: constants. 100.00 is an exact decimal, 3 an int. state: { refundable: 80.00 }: initial values of states that tools describe; one of the plan's own has a type: { sent: "map(string(64), int, default 0)" }.
- Types: string(max), int, int(0..10), decimal(2), decimal(2, 0..), bool, enum(a, b), time, duration. Args and responds also: [int, 1..20], { a: int }, cc?: int. In braces, quote what has a comma or a bracket.
- tables: { approved: { file: approved.jsonl, key: invoice, columns: { invoice: string(64), amount: decimal(2) } } }, with the argument tables {"approved.jsonl": sha256 from svc_create_table}; or rows: [{…}] instead of file.
- tools: readers of the plan's own: { order.get@1.0.0: { args: { order: string(64) }, responds: { total: decimal(2) } } }. replay: pure is run again by the service: html-to-markdown@1.5.0, exact-select@1.2.0.
- steps: { name: { tool: name@2 (highest 2.x.y), times: 3 or 0..200, where, after, overlaps, effects, evidence } }. where: a condition or { id: condition } over args.x, state.x before the action, given, tables. after: look (has ended before), { look: 2 } (two have), or { look: if_done }. overlaps: [pay]: may be done at the same time despite a shared state. effects: { "sent[args.to]": "state.sent[args.to] + 1" }. evidence: { kind: { type: application/json, reads: { id: /id }, where: kind.id == response.id } }: JSON pointers into an artifact of each action. Bind the identity of an act that moves money.
- rules: { id: condition } over the run; state.x is then the state after it. sum(pay, p, p.amount), sum(pay, p, p.amount, cond), count(pay, p, cond), pay.all(p, cond), pay.exists(p, cond), least or greatest(pay, p, value), unique(pay, p, p.invoice), before(a, p); p.amount is of the arguments or the response; p.started_at, p.ended_at; p.outcome: done, failed or unknown.
- Lists: args.to.all(t, cond), size(args.to), x in args.to; members: args.from.name; has(args.cc).
- k in approved, approved[k].amount, approved.all(r, cond), state.sent[k]; approved_at, approvals, approved_by("group"), timestamp("…Z"), duration("24h"); ! && || == != < <= > >= + - * / ?: min max.
- A rule must be definitely true: a row that is not there breaks it.`;

/** The flow: shown to a client when it connects. */
export const INSTRUCTIONS = `Verified execution: someone approves a plan, an agent acts and records its actions with evidence, and the service computes from these records alone whether the actions match the plan, obey its rules, are evidenced and can be reproduced. Only then it signs a proof.

In order: svc_tool_list and svc_tool_get (what a plan can do), svc_create_plan (key of role agent), svc_explain_plan (what the plan allows, in words), svc_approve_plan (another key, of role approver), svc_verify_plan_alignment and svc_verify_constraints with the actions that you intend; then act; then svc_record_execution, svc_submit_evidence, svc_verify_execution and svc_get_proof. Right before each action, svc_preflight_action says whether it still fits the plan, and svc_reserve_action holds its room.

All tools but svc_status need an API key: Authorization: Bearer thk_…. A failed call returns {"error":{"code","message","requestId","remedy"}}: do what remedy says. The same idempotency_key with the same arguments returns the first answer.`;
