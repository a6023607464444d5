import test from 'ava';
import { walk } from '../rehearsal/walk.ts';

test('on Base Sepolia, a facilitator settles', (t) => walk(t, 'eip155:84532', 'facilitator'));
