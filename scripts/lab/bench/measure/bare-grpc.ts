import { Server, ServerCredentials } from '@grpc/grpc-js';
import { ContentServiceService, type ConvertHtmlRequest } from '../../../../proto/gen/tollhouse/content/v1/content.ts';
import { defined } from '../../../../workers/exact/defined.ts';

// The upper limit for the service: a server that receives and sends the same messages, and does nothing else.
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
