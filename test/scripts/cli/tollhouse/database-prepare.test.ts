import test from 'ava';
import { startServers, stopServers, testPreparation } from './preparation-tests.ts';

test.before(startServers);
test.after.always(stopServers);

testPreparation('the embedded PostgreSQL');
