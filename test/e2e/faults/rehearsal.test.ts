import test from 'ava';
import { walk } from '../rehearsal/walk.ts';

test.serial('on Base Sepolia, a facilitator settles', (t) => walk(t, 'eip155:84532', 'facilitator'));
test.serial('on Base, an own signer settles and claims', (t) => walk(t, 'eip155:8453', 'signer'));
