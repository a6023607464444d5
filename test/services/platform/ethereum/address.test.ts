import { randomBytes } from 'node:crypto';
import test from 'ava';
import secp256k1 from 'secp256k1';
import { getAddress, keccak256 as keccak256OfViem } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';
import { addressOfKey, withChecksum } from '../../../../services/platform/ethereum/address.ts';
import { keccak256 } from '../../../../services/platform/ethereum/keccak256.ts';

test('hashes are those of viem, at every length around the blocks of 136 bytes', (t) => {
  for (let length = 0; length <= 300; length += 1) {
    const bytes = randomBytes(length);
    t.is(`0x${Buffer.from(keccak256(bytes)).toString('hex')}`, keccak256OfViem(bytes));
  }
  const large = randomBytes(100_000);
  t.is(`0x${Buffer.from(keccak256(large)).toString('hex')}`, keccak256OfViem(large));
});

test('a hash is not changed by the next one', (t) => {
  const first = keccak256(Buffer.from('first'));
  const copy = Buffer.from(first);
  keccak256(Buffer.from('second'));
  t.deepEqual(Buffer.from(first), copy);
});

test('checksums and addresses of keys are those of viem', (t) => {
  for (let round = 0; round < 200; round += 1) {
    const address = `0x${randomBytes(20).toString('hex')}` as const;
    t.is(withChecksum(address), getAddress(address));
    t.is(withChecksum(`0x${address.slice(2).toUpperCase()}`), getAddress(address));
    const publicKey = secp256k1.publicKeyCreate(randomBytes(32), false);
    t.is(addressOfKey(publicKey), publicKeyToAddress(`0x${Buffer.from(publicKey).toString('hex')}`));
  }
});

// The examples of EIP-55.
for (const address of [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
]) {
  test(`the checksum of ${address}`, (t) => t.is<string, string>(withChecksum(address.toLowerCase()), address));
}
