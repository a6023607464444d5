import test from 'ava';
import { createTestClient } from 'viem';
import { checkToken } from '../../../../services/payments/chain/check-token.ts';
import { createRpc } from '../../../../services/payments/chain/nodes.ts';
import { createTerms } from '../../../../services/payments/payment/terms.ts';
import { createWallet, toChain } from '../../../kit/chain.ts';
import { startTestAnvil } from '../../../kit/servers.ts';
import { placeContracts, SANDBOX_ASSET } from '../test-sandbox.ts';

const anvil = await startTestAnvil();
test.after.always(() => anvil.stop());
const rpc = createRpc(anvil.url);
const node = createTestClient({ mode: 'anvil', transport: toChain(anvil.url) });
const terms = createTerms({ network: 'eip155:31337', payTo: createWallet().address, sandbox: false });

test.serial('a chain without the token is wrong', async (t) => {
  await t.throwsAsync(checkToken(rpc, terms), { name: 'ConfigurationError', message: /X402_RPC_URL: .* has no code/ });
});

test.serial(
  'the token of the terms is right, and one of another name, version, chain or decimals is not',
  async (t) => {
    await placeContracts(anvil.url);
    await t.notThrowsAsync(checkToken(rpc, terms));
    for (const changes of [{ assetVersion: '1' }, { assetName: 'USDC' }, { chainId: 8453 }]) {
      await t.throwsAsync(checkToken(rpc, { ...terms, ...changes }), {
        name: 'ConfigurationError',
        message: /another domain for signatures \(version 2\); it must be that of USD/,
      });
    }
    // Code that answers 18 to everything: PUSH1 18, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN.
    await node.setCode({ address: SANDBOX_ASSET, bytecode: '0x601260005260206000f3' });
    await t.throwsAsync(checkToken(rpc, terms), { message: /has 18 decimals; it must have 6/ });
  },
);
