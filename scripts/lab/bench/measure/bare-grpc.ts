import { Server, ServerCredentials } from '@grpc/grpc-js';
import { ContentServiceService, type ConvertHtmlRequest } from '../../../../proto/gen/tollhouse/content/v1/content.ts';
import { defined } from '../../../../workers/exact/defined.ts';

/** The ceiling: the same message in and out, and nothing done. */
const server = new Server();
server.addService(ContentServiceService, {
  convertHtml: ({ request }: { request: ConvertHtmlRequest }, callback: (error: null, answer: object) => void) =>
    callback(null, { markdown: request.html, markdownCharacters: request.html.length }),
  convertHtmlStream: () => {},
});
await new Promise<void>((resolve, reject) => {
  const listen = defined(process.env['LISTEN']);
  server.bindAsync(listen, ServerCredentials.createInsecure(), (error) => (error ? reject(error) : resolve()));
});
process.send?.('ready');
process.once('disconnect', () => process.exit());
