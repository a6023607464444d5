import { getAddress, type Hex } from 'viem';
import type { Effect, MinedBlock, TokenCall } from './block.ts';

/** The reason for which the token reverts a call, in the words of USDC. */
export class Revert extends Error {
  override readonly name = 'Revert';
}

export interface TokenState {
  readonly balanceOf: (account: string) => bigint;
  readonly isUsed: (payer: string, nonce: string) => boolean;
  /** @throws {Revert} */
  readonly check: (call: TokenCall, atS: number) => void;
  /** Applies a call. @returns undefined where it reverts */
  readonly apply: (call: TokenCall, atS: number) => Effect | undefined;
}

/** Replays the chain up to a block. */
export function tokenStateAt(
  blocks: readonly MinedBlock[],
  number: number,
  fund: ReadonlyMap<string, bigint>,
): TokenState {
  const balances = new Map(fund);
  const used = new Set<string>();
  const balanceOf = (account: string) => balances.get(account.toLowerCase()) ?? 0n;
  const isUsed = (payer: string, nonce: string) => used.has(`${payer} ${nonce}`.toLowerCase());

  function move(from: string, to: string, value: bigint): void {
    balances.set(from.toLowerCase(), balanceOf(from) - value);
    balances.set(to.toLowerCase(), balanceOf(to) + value);
  }

  function perform(call: TokenCall): void {
    if (call.kind !== 'transfer') used.add(`${call.from} ${call.nonce}`.toLowerCase());
    if (call.kind !== 'cancel') move(call.from, call.to, call.value);
  }

  function check(call: TokenCall, atS: number): void {
    if (call.kind !== 'transfer' && isUsed(call.from, call.nonce)) {
      throw new Revert('FiatTokenV2: authorization is used or canceled');
    }
    if (call.kind === 'transferWithAuthorization' && BigInt(atS) >= call.validBefore) {
      throw new Revert('FiatTokenV2: authorization is expired');
    }
    if (call.kind === 'transferWithAuthorization' && BigInt(atS) <= call.validAfter) {
      throw new Revert('FiatTokenV2: authorization is not yet valid');
    }
    if (call.kind !== 'cancel' && balanceOf(call.from) < call.value) {
      throw new Revert('ERC20: transfer amount exceeds balance');
    }
  }

  for (const { number: at, transactions } of blocks) {
    if (at > number) break;
    for (const effect of transactions.flatMap(({ effects }) => effects)) perform(effect);
  }
  return {
    balanceOf,
    isUsed,
    check,
    apply(call, atS) {
      try {
        check(call, atS);
      } catch (error) {
        if (error instanceof Revert) return undefined;
        throw error;
      }
      perform(call);
      return call;
    },
  };
}

const WORD = 64;

/** Reads the call data of `transferWithAuthorization` with a signature of v, r and s. */
export function readTransferCall(data: Hex): Extract<TokenCall, { readonly kind: 'transferWithAuthorization' }> {
  const words = data.slice(10);
  const word = (index: number) => words.slice(index * WORD, (index + 1) * WORD);
  if (words.length !== 9 * WORD) throw new Revert('an unknown call of the token');
  const address = (index: number): Hex => getAddress(`0x${word(index).slice(24)}`);
  const number = (index: number) => BigInt(`0x${word(index)}`);
  return {
    kind: 'transferWithAuthorization',
    from: address(0),
    to: address(1),
    value: number(2),
    validAfter: number(3),
    validBefore: number(4),
    nonce: `0x${word(5)}`,
  };
}
