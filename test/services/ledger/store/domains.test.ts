import test from 'ava';
import pg from 'pg';
import { createLedgerDatabase } from './store-fixture.ts';

const database = await createLedgerDatabase();
const client = new pg.Client({ connectionString: database.url });
await client.connect();
test.after.always(async () => {
  await client.end();
  await database.stop();
});

const [digits, wide] = ['0123456789abcdef'.repeat(3).slice(0, 40), 'f'.repeat(64)];

for (const [domain, right, wrong] of [
  [
    'network',
    ['eip155:1', 'eip155:8453', `eip155:${'9'.repeat(20)}`],
    [
      '',
      'eip155:',
      'eip155:0',
      'eip155:01',
      'eip155:1a',
      'eip155:1 ',
      'eip155:1\n',
      'EIP155:1',
      'x:1',
      `eip155:${'9'.repeat(21)}`,
    ],
  ],
  [
    'wallet_address',
    [`0x${digits}`],
    [
      '',
      digits,
      `0x${digits}0`,
      `0x${digits.slice(1)}`,
      `0X${digits}`,
      `0x${digits.toUpperCase()}`,
      `0x${digits.slice(1)}g`,
      `0x${wide}`,
    ],
  ],
  [
    'bytes32',
    [`0x${wide}`],
    [`0x${wide.slice(1)}`, `0x${wide}0`, `0x${wide.slice(1)}\n`, `0x0x${wide.slice(2)}`, `0x${digits}`],
  ],
  ['account', [`0x${digits}`, `0x${wide}`], ['0x', `0x${wide.slice(8)}`, `x0${wide}`]],
  [
    'proof_nonce',
    [wide.slice(32)],
    [wide, wide.slice(33), `0x${wide.slice(34)}`, `${wide.slice(33)}F`, `${wide.slice(33)} `],
  ],
] as const) {
  test(`ledger.${domain} takes its form, and nothing that is nearly right`, async (t) => {
    const cast = (text: string) => client.query(`SELECT $1::text::ledger.${domain}`, [text]);
    for (const text of right) await t.notThrowsAsync(cast(text), text);
    for (const text of wrong) t.is((await t.throwsAsync<pg.DatabaseError>(cast(text), undefined, text)).code, '23514');
  });
}
