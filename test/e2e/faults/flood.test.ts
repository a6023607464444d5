import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { openRaw, type RawConnection, readAnswers } from '../../gateway/http/raw-client.ts';
import { CONVERT } from '../../kit/client.ts';
import { startStack } from '../../kit/stack.ts';
import { until } from '../../kit/until.ts';
import { eventuallyConfirmed } from './faulty-stack.ts';

const OPEN_FILES = 512;
/** The number of descriptors that the gateway keeps free for its own needs. */
const MIN_FREE = 64;
const CONNECTIONS = 800;
const BODIES = 150;
const MIB = 1024 * 1024;

const stack = await startStack({
  gatewayOpenFiles: OPEN_FILES,
  env: { gateway: { MAX_CONNECTIONS_PER_CLIENT: '0', MAX_BODY_MB_IN_FLIGHT: '16' } },
});
const port = Number(new URL(stack.urls[0]).port);
test.after.always(() => stack.stop());

const openFiles = () => readdirSync(`/proc/${stack.pid('gateway0')}/fd`).length;

function memoryMib(field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${stack.pid('gateway0')}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
}

const isSettled = ({ socket, received }: RawConnection) =>
  socket.destroyed || socket.readableEnded || received().includes('HTTP/1.1');

test.serial(
  'a flood of connections is refused below the limit of open files, and the gateway serves again',
  async (t) => {
    const flood = Array.from({ length: CONNECTIONS }, () => openRaw(port));
    // Connections over the limit are answered with 503 or closed.
    await until(() => flood.filter(isSettled).length >= CONNECTIONS - OPEN_FILES);
    t.true(flood.some(({ received }) => readAnswers(received())[0]?.status === 503));
    await until(() => openFiles() <= OPEN_FILES - MIN_FREE);
    for (const { socket } of flood) socket.destroy();
    await eventuallyConfirmed(stack.urls[0]);
  },
);

test.serial(
  'a flood of incomplete bodies is refused before it fills the memory, and the gateway serves again',
  async (t) => {
    const before = memoryMib('VmRSS');
    const head = `POST ${CONVERT} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${8 * MIB}\r\n\r\n`;
    const part = Buffer.concat([Buffer.from(head), Buffer.alloc(4 * MIB, 0x20)]);
    const flood = Array.from({ length: BODIES }, () => openRaw(port, part));
    await until(() => flood.filter(isSettled).length >= BODIES - 8);
    const refused = flood.flatMap(({ received }) => readAnswers(received()));
    t.deepEqual([...new Set(refused.map(({ code }) => code))], ['OVERLOADED']);
    const grownBy = memoryMib('VmHWM') - before;
    t.true(grownBy < 200, `the memory grew by ${grownBy} MiB`);
    for (const { socket } of flood) socket.destroy();
    await eventuallyConfirmed(stack.urls[0]);
  },
);
