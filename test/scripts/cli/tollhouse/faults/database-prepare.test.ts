import { existsSync } from 'node:fs';
import test from 'ava';
import { startServers, stopServers, testPreparation } from '../preparation-tests.ts';

const DEBIAN = '/usr/lib/postgresql/15/bin';

test.before(startServers);
test.after.always(stopServers);

if (existsSync(DEBIAN)) testPreparation('PostgreSQL 15 of Debian', DEBIAN);
else test.skip('PostgreSQL 15 of Debian is not installed', () => {});
