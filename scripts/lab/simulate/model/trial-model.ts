import type { TrialAnswer, TrialFacts } from './trial-facts.ts';

type Fault = (problem: string) => void;

/** Decides whether the facts of a run keep every promise. @returns what is wrong */
export function judgeTrials(facts: TrialFacts): readonly string[] {
  const faults: string[] = [];
  const fault: Fault = (problem) => faults.push(problem);
  for (const id of facts.open) fault(`${id} is open for ever`);
  for (const violation of facts.violations) fault(`the audit found ${violation}`);
  judgeCharges(facts, fault);
  for (const answer of facts.answers) judgeAnswer(answer, facts, fault);
  judgeExecutions(facts, fault);
  return faults;
}

function judgeCharges({ charged, bodies, reserved }: TrialFacts, fault: Fault): void {
  const ids = new Set(reserved.values());
  if (ids.size < reserved.size) fault('two proofs have one reservation');
  for (const id of charged.keys()) {
    if (!bodies.has(id)) fault(`${id} was charged without its answer`);
    if (!ids.has(id)) fault(`${id} was charged, and no proof reserved it`);
  }
  for (const id of bodies.keys()) if (!charged.has(id)) fault(`the answer of ${id} is stored, and was not charged`);
}

/** What a client was told must be true. */
function judgeAnswer({ wallet, nonce, tag, sentTag, answer }: TrialAnswer, facts: TrialFacts, fault: Fault): void {
  if (answer === undefined) return;
  const { outcome, headers, body } = answer;
  const id = facts.reserved.get(nonce);
  const payer = id === undefined ? undefined : facts.charged.get(id);
  const told = headers['x-trial-status'];
  const name = `the request ${tag} (${id ?? 'no reservation'})`;
  if (payer !== undefined && payer !== wallet) fault(`${name} was charged to another wallet`);
  if (sentTag !== tag && (outcome === 200 || told === 'charged')) fault(`${name} was accepted with another body`);
  if (told === 'charged' && payer === undefined) fault(`${name} was told "charged", and was not`);
  if (told === 'released' && payer !== undefined) fault(`${name} was told "released", and was charged`);
  if (headers['x-trial-accounting-status'] === 'confirmed' && told !== 'charged') {
    fault(`${name} is confirmed, but not charged`);
  }
  if (outcome === 200) {
    if (told !== 'charged' && told !== 'accounting_uncertain') fault(`${name} got a result, and was told "${told}"`);
    if (!body.includes(`"tag":"${tag}"`)) fault(`${name} got the result of another request`);
    if (payer !== undefined && id !== undefined && !facts.bodies.get(id)?.includes(body)) {
      fault(`${name} got another answer than the stored one`);
    }
  }
  const balance = headers['x-trial-balance-atomic'];
  const spent = balance === undefined ? 0n : facts.grant - BigInt(balance);
  if (spent < 0n || spent > facts.grant || spent % facts.price !== 0n)
    fault(`${name} was told a balance of ${balance}`);
}

/** Only a crash of the database, which forgets a reservation, may let a proof be used again. */
function judgeExecutions({ executions, answers, reserved, crashes }: TrialFacts, fault: Fault): void {
  if (crashes > 0) return;
  const admitted = new Set(answers.filter(({ nonce }) => reserved.has(nonce)).map(({ tag }) => tag));
  const seen = new Set<string>();
  for (const tag of executions) {
    if (seen.has(tag)) fault(`${tag} was executed twice`);
    seen.add(tag);
    if (!admitted.has(tag)) fault(`${tag} was executed without a reservation`);
  }
}
