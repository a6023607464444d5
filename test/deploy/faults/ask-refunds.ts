// Asks a payments service for a refund with the certificate of each role, or with none: ask-refunds.ts ADDRESS TLS_FOLDER ROLE...
// Prints the statuses. The first call waits until the service answers.
import { readFileSync } from 'node:fs';
import { credentials, Metadata, status } from '@grpc/grpc-js';
import { PaymentsOperatorServiceClient } from '../../../proto/gen/tollhouse/payments/v1/operator.ts';
import { TLS_FILES } from '../../../services/platform/grpc/identity.ts';
import { HANG_MS } from '../../kit/until.ts';

const REFUND = {
  claimId: '01890000-0000-7000-8000-000000000000',
  act: { operator: 'nobody', reason: 'a test' },
  isAgain: false,
  isDry: false,
};

const [address = '', folder = '', ...roles] = process.argv.slice(2);
const answers: (string | undefined)[] = [];
for (const role of roles) {
  const read = (file: string) => readFileSync(`${folder}/${role === 'none' ? 'operator' : role}/${file}`);
  const own = role === 'none' ? [] : [read(TLS_FILES.key), read(TLS_FILES.certificate)];
  const client = new PaymentsOperatorServiceClient(address, credentials.createSsl(read(TLS_FILES.ca), ...own), {
    'grpc.ssl_target_name_override': 'payments',
  });
  const metadata = new Metadata({ waitForReady: answers.length === 0 });
  const code = await new Promise<status | undefined>((resolve) => {
    client.refund(REFUND, metadata, { deadline: Date.now() + HANG_MS }, (error) => resolve(error?.code));
  });
  answers.push(status[code ?? status.OK]);
  client.close();
}
console.log(answers.join(' '));
