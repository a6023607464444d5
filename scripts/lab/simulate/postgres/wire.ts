import { Duplex } from 'node:stream';

/* The few messages of PostgreSQL's protocol (version 3.0) that the simulation reads or writes itself. */

const TYPE_BYTES = 1;
const LENGTH_BYTES = 4;

function encode(type: string, body: Uint8Array): Buffer {
  const header = Buffer.alloc(TYPE_BYTES + LENGTH_BYTES);
  header.write(type);
  header.writeInt32BE(body.length + LENGTH_BYTES, TYPE_BYTES);
  return Buffer.concat([header, body]);
}

const READY = encode('Z', Buffer.from('I'));
/** AuthenticationOk and ReadyForQuery, which answer a startup message. */
export const WELCOME = Buffer.concat([encode('R', Buffer.alloc(4)), READY]);

export const encodeQuery = (text: string): Buffer => encode('Q', Buffer.from(`${text}\0`));

/** ErrorResponse. A fatal one ends the connection; after another, the server is ready again. */
export function encodeError(severity: 'ERROR' | 'FATAL', code: string, message: string): Buffer {
  const fields = encode('E', Buffer.from(`S${severity}\0V${severity}\0C${code}\0M${message}\0\0`));
  return severity === 'FATAL' ? fields : Buffer.concat([fields, READY]);
}

/** Every answer ends with ReadyForQuery, whose last byte is the state of the transaction. */
export const isFailed = (answer: Uint8Array): boolean => answer.at(-1) === 'E'.charCodeAt(0);

/** The answer as it would be if the statement had been a transaction of its own. */
export function asOwnTransaction(answer: Uint8Array): Buffer {
  const copy = Buffer.from(answer);
  copy.write('I', copy.length - 1);
  return copy;
}

/** The messages at the start of `bytes` that are complete, and how long they are. */
function* messagesIn(bytes: Buffer): Generator<{ readonly type: string; readonly body: Buffer; readonly end: number }> {
  let at = 0;
  while (at + TYPE_BYTES + LENGTH_BYTES <= bytes.length) {
    const end = at + TYPE_BYTES + bytes.readInt32BE(at + TYPE_BYTES);
    if (end > bytes.length) return;
    yield { type: bytes.toString('latin1', at, at + TYPE_BYTES), body: bytes.subarray(at + 5, end), end };
    at = end;
  }
}

/** The first column of each row of an answer, as text. */
export function firstColumns(answer: Uint8Array): readonly string[] {
  const rows = [...messagesIn(Buffer.from(answer))].filter(({ type }) => type === 'D');
  // DataRow: the number of columns, then the length and the bytes of each.
  return rows.map(({ body }) => body.toString('utf8', 6, 6 + body.readInt32BE(2)));
}

export interface WireSocketOptions {
  /** The driver connects. It waits for the event `connect`. */
  readonly onConnect: (socket: Duplex) => void;
  /** The driver sent its startup message. */
  readonly onStartup: (socket: Duplex) => void;
  /** The driver sent messages that the server answers, up to its next ReadyForQuery. */
  readonly onRequest: (socket: Duplex, request: Buffer) => void;
}

/** A socket for `pg.Client`, which cuts what the driver writes into requests. */
export function createWireSocket({ onConnect, onStartup, onRequest }: WireSocketOptions): Duplex {
  let isStarted = false;
  let received = Buffer.alloc(0);
  const socket = new Duplex({
    read() {},
    // The driver has closed its side, so the server closes the other.
    final(done) {
      socket.push(null);
      done();
    },
    write(chunk: Buffer, _encoding, done) {
      done();
      if (!isStarted) {
        isStarted = true;
        onStartup(socket);
        return;
      }
      received = Buffer.concat([received, chunk]);
      // Sync, or a simple query.
      const last = [...messagesIn(received)].findLast(({ type }) => type === 'S' || type === 'Q');
      if (last === undefined) return;
      const request = received.subarray(0, last.end);
      received = received.subarray(last.end);
      onRequest(socket, request);
    },
  });
  const nothing = () => socket;
  return Object.assign(socket, {
    connect: () => onConnect(socket),
    setNoDelay: nothing,
    setKeepAlive: nothing,
    ref: nothing,
    unref: nothing,
  });
}
