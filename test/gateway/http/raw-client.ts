import { connect, type Socket } from 'node:net';

export interface RawConnection {
  readonly socket: Socket;
  /** The text that was received so far. */
  readonly received: () => string;
  /** Resolves with all received text when the server has closed the connection. */
  readonly closed: Promise<string>;
}

/** Opens a TCP connection for any text. Only the server closes it: the client keeps its own side open. */
export function openRaw(port: number, text: string | Buffer = ''): RawConnection {
  let received = '';
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  if (text.length > 0) socket.write(text);
  const closed = new Promise<string>((resolve) => {
    socket.once('end', () => resolve(received));
    socket.once('close', () => resolve(received));
  });
  return { socket, received: () => received, closed };
}

export interface RawAnswer {
  readonly status: number;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  /** The value of the header `x-request-id`. */
  readonly idHeader: string | undefined;
  readonly allow: string | undefined;
}

/** The answers in the text that a connection received, in order. */
export function readAnswers(received: string): readonly RawAnswer[] {
  return received
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((part) => part !== '')
    .map((part) => ({
      status: Number(part.slice(9, 12)),
      code: /"code":"([A-Z_]+)"/.exec(part)?.[1],
      requestId: /"requestId":"([^"]+)"/.exec(part)?.[1],
      allow: /^allow: (.*)\r$/im.exec(part)?.[1],
      idHeader: /^x-request-id: (\S+)\r$/im.exec(part)?.[1],
    }));
}
