import { randomBytes } from 'node:crypto';
import secp256k1 from 'secp256k1';
import { Type } from 'typebox';
import type { Pool } from 'undici';
import { type Hex, hashTypedData, hexToBytes } from 'viem';
import { type LocalAccount, publicKeyToAddress, toAccount } from 'viem/accounts';
import { hashMessage } from 'viem/utils';
import { createJsonReader } from '../../../launch/parse/json-reader.ts';
import { exchange, outcomeOf } from './exchange.ts';

const readFunds = createJsonReader(Type.Object({ balanceAtomic: Type.String() }), 'the answer of the faucet');

/** A new wallet that the sandbox's faucet has funded, and what it has. @throws {Error} if the faucet refuses */
export async function fundWallet(pool: Pool): Promise<{ readonly account: LocalAccount; readonly balance: bigint }> {
  const account = createFastWallet();
  const reply = await exchange(pool, { path: '/sandbox/faucet', body: JSON.stringify({ address: account.address }) });
  if (reply.status !== 200) throw new Error(`the faucet answered ${outcomeOf(reply, 200).code}: ${reply.text}`);
  return { account, balance: BigInt(readFunds(reply.text).balanceAtomic) };
}

/** A new wallet that signs natively. viem's own account takes about 2 ms for a signature. */
export function createFastWallet(): LocalAccount {
  const key = newKey();
  const publicKey = secp256k1.publicKeyCreate(key, false);
  const sign = (digest: Hex): Hex => {
    const { signature, recid } = secp256k1.ecdsaSign(hexToBytes(digest), key);
    return `0x${Buffer.from(signature).toString('hex')}${(27 + recid).toString(16)}`;
  };
  return toAccount({
    address: publicKeyToAddress(`0x${Buffer.from(publicKey).toString('hex')}`),
    signMessage: async ({ message }) => sign(hashMessage(message)),
    signTypedData: async (parameters) => sign(hashTypedData(parameters)),
    signTransaction: () => {
      throw new Error('this wallet signs no transactions');
    },
  });
}

function newKey(): Buffer {
  for (;;) {
    const key = randomBytes(32);
    if (secp256k1.privateKeyVerify(key)) return key;
  }
}
