import { concatHex, type Hex, serializeErc6492Signature } from 'viem';
import { createWallet, type Wallet } from '../../kit/chain.ts';

/** How an account signs its payments. */
export interface AccountKind {
  readonly name: string;
  readonly code: 'none' | 'own' | 'delegated';
  /** Whether the key of the account signs, and not that of the owner of its code. */
  readonly isByKey?: boolean;
  /** What follows the 65 bytes of the owner. */
  readonly more?: Hex;
  readonly isWrapped?: boolean;
}

const MORE: Hex = `0x${'00ff'.repeat(300)}`;
export const BY_KEY: AccountKind = { name: 'an account with a key', code: 'none', isByKey: true };

/** Accounts whose code decides what they signed. */
export const WALLETS: readonly AccountKind[] = [
  { name: 'a contract wallet with 65 bytes of its owner', code: 'own' },
  { name: 'a contract wallet with a longer signature', code: 'own', more: MORE },
  { name: 'a deployed wallet with the wrapper of ERC-6492', code: 'own', more: MORE, isWrapped: true },
  { name: 'an account that has delegated to code, with a longer signature', code: 'delegated', more: MORE },
];

/** Accounts without code, and why a payment of theirs is refused. */
export const WITHOUT_CODE: readonly (readonly [AccountKind, string])[] = [
  [{ name: '65 bytes of another key', code: 'none' }, 'invalid_exact_evm_signature'],
  [{ name: 'a longer signature', code: 'none', more: MORE }, 'invalid_exact_evm_signature'],
  [{ name: 'the wrapper of ERC-6492', code: 'none', more: MORE, isWrapped: true }, 'undeployed_smart_wallet'],
];

/**
 * EVM code that accepts what begins with 65 bytes of its owner (ERC-1271). It takes anything behind them, and the equivalent
 * signature with a high s: many signatures of one authorization.
 */
const codeOwnedBy = (owner: Hex): Hex =>
  concatHex([
    '0x6004355f5260a4355f1a60205260643560405260843560605260205f60805f60015afa505f5173',
    owner,
    '0x14631626ba7e0260e01b5f5260205ff3',
  ]);

/** A new account, with its code. Its `signTypedData` is that of its kind. */
export async function createAccount(
  { code, isByKey, more = '0x', isWrapped }: AccountKind,
  setCode: (address: Hex, bytecode: Hex) => Promise<unknown>,
): Promise<Wallet> {
  const [account, owner, implementation] = [createWallet(), createWallet(), createWallet()];
  if (code !== 'none') await setCode(implementation.address, codeOwnedBy(owner.address));
  if (code === 'own') await setCode(account.address, codeOwnedBy(owner.address));
  if (code === 'delegated') await setCode(account.address, concatHex(['0xef0100', implementation.address]));
  if (isByKey) return account;
  return {
    ...account,
    async signTypedData(data) {
      const signature = concatHex([await owner.signTypedData(data), more]);
      return isWrapped ? wrap(signature) : signature;
    },
  };
}

/** The wrapper of a factory that would deploy the wallet. */
export const wrap = (signature: Hex): Hex =>
  serializeErc6492Signature({ address: `0x${'fa'.repeat(20)}`, data: '0xdeadbeef', signature });
