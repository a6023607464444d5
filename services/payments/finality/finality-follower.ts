import { NIL } from 'uuid';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import type { Chain } from '../chain/chain.ts';
import type { Head } from '../chain/confirmed-blocks.ts';
import type { KnownChain } from '../chain/known-chain.ts';
import type { Claim } from '../claims/claims.ts';
import type { Settlement } from '../settlement/settlement.ts';
import type { SettlingContext } from '../settlement/settling-context.ts';
import type { UnfinalClaims, UnlocatedClaim } from './unfinal-claims.ts';

/** What the follower needs. */
interface FinalityContext extends SettlingContext, KnownChain {
  readonly chain: Chain;
  readonly settlement: Settlement;
  readonly unfinal: UnfinalClaims;
}

const PAGE = 100;

/** Creates the work that follows settlements until they are final. A run that is cut off loses nothing. */
export function createFinalityFollower(context: FinalityContext) {
  const { unfinal, authorizations, blocks, logger } = context;
  const logError = createRepeatedErrorLog({ logger, message: 'a settlement could not be checked' });
  return async (signal: AbortSignal): Promise<void> => {
    const head = await blocks.readHead();
    await checkBlocks(context, head, signal);
    for (let after: string | undefined = NIL; after !== undefined && !signal.aborted; ) {
      const page: readonly UnlocatedClaim[] = await unfinal.unlocated(after, PAGE);
      await Promise.all(
        page.map((each) => check(context, each).catch((error) => logError(error, { fields: { ...each } }))),
      );
      after = page.length < PAGE ? undefined : page.at(-1)?.claimId;
    }
    if (head.confirmed) await authorizations.deleteEnded(head.confirmed.timestamp);
  };
}

/**
 * Compares the blocks of settlements with the chain. A block hash covers the transactions, so a block that is still
 * there still has the events that were found in it.
 */
async function checkBlocks({ unfinal, blocks, terms, logger }: FinalityContext, head: Head, signal: AbortSignal) {
  for (const block of await unfinal.blocks()) {
    if (signal.aborted) return;
    const isBeyond = block.number > head.latest.number;
    // A node that lags behind does not have the block yet. The sandbox has one node.
    if (isBeyond && !terms.sandbox) continue;
    const canonical = isBeyond ? undefined : await blocks.readBlock(block.number);
    if (canonical === undefined && !isBeyond) continue;
    if (canonical?.hash !== block.hash) {
      const claimIds = await unfinal.forget(block);
      logger.warn({ block, claimIds }, 'a block with settlements is no longer in the chain');
    } else if (head.confirmed && block.number <= head.confirmed.number && (await blocks.isFinal(block))) {
      await unfinal.finalize(block);
    }
  }
}

/** Asks the chain about a claim. */
async function check(context: FinalityContext, { claimId, wasMissing }: UnlocatedClaim): Promise<void> {
  const claim = await context.claims.findById(claimId);
  if (claim?.state === 'settled') await checkSettled(context, claim, wasMissing);
  else if (claim?.state === 'settling' && !claim.isLeased) await context.settlement.consult(claim);
}

/** Finds the settlement of a claim in the chain. One that is gone is sent again, or is lost. */
async function checkSettled(context: FinalityContext, claim: Claim, wasMissing: boolean): Promise<void> {
  const { chain, unfinal, logger } = context;
  const { claimId } = claim;
  const state = await chain.stateOf(claim);
  switch (state.kind) {
    case 'settled':
      return unfinal.locate(claimId, state);
    case 'in_flight':
      return;
    case 'void':
      // A further reorganization could bring the settlement back until the block that rules it out is final.
      if (!state.isConfirmed) return;
      await unfinal.lose(claimId, state.reason);
      logger.error({ claimId, payer: claim.payer, amount: `${claim.amount}`, reason: state.reason }, LOST);
      return;
    case 'reverted':
      // It was sent again, in vain. Nothing more is spent on it.
      return;
    case 'unused':
      // A node that lags behind may not have the block yet.
      return wasMissing ? sendAgain(context, claim) : unfinal.noteMissing(claimId);
  }
}

const LOST = 'a settlement was removed from the chain and can never be repeated: the payment is lost';

/** Sends a settlement again. The chain uses an authorization once, so this is harmless if the first one comes back. */
async function sendAgain(context: FinalityContext, claim: Claim): Promise<void> {
  const { unfinal, authorizations, facilitator, onSettled, logger } = context;
  const { claimId } = claim;
  const payment = await authorizations.find(claim);
  if (payment === undefined) throw new Error('the settlement is gone, and its authorization was not kept');
  const { kind } = await facilitator.settle(payment, (hash, signed) => unfinal.noteTransaction(claimId, hash, signed));
  logger.warn({ claimId, report: kind }, 'a settlement that was removed from the chain was sent again');
  if (kind === 'settled') onSettled?.();
}
