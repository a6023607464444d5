import test from 'ava';
import { keccak256 } from '../../../gateway/client/keccak256.ts';
import { keccak256 as native } from '../../../services/platform/ethereum/keccak256.ts';

test('texts of every length around a block have the hash that the services make', (t) => {
  for (let length = 0; length <= 280; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + length) % 256);
    t.deepEqual(Buffer.from(keccak256(bytes)), Buffer.from(native(bytes)), `${length}`);
  }
});
