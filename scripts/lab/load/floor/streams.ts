import type { ClientDuplexStream, ServerDuplexStream } from '@grpc/grpc-js';

// Each process of the floor ends with the one that started it.
process.once('disconnect', () => process.exit());

/** Answers each message of a stream, one after the other. */
export const serving =
  <Message, Answer>(answer: (message: Message) => Promise<Answer>) =>
  (call: ServerDuplexStream<Message, Answer>): void => {
    call.on('data', (message: Message) => {
      answer(message).then(
        (answered) => call.write(answered),
        (error: Error) => call.destroy(error),
      );
    });
    call.on('end', () => call.end());
  };

/** Asks on an open stream whose answers come in the order of the messages. */
export function asking<Message, Answer>(
  call: ClientDuplexStream<Message, Answer>,
): (message: Message) => Promise<Answer> {
  const waiting: ((answer: Answer) => void)[] = [];
  call.on('data', (answer: Answer) => waiting.shift()?.(answer));
  return (message) =>
    new Promise((resolve) => {
      waiting.push(resolve);
      call.write(message);
    });
}
