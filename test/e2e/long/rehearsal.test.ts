import test from 'ava';
import { walk } from '../rehearsal/walk.ts';

test.serial('on Base Sepolia, an own signer settles and claims', (t) => walk(t, 'eip155:84532', 'signer'));
