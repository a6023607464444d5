import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { createChannels } from '../../gateway/access/channels.ts';
import { createOffer } from '../../gateway/access/offer/offer.ts';
import { readPaymentPayload } from '../../gateway/access/payment/presented-payment.ts';
import { toAppError } from '../../gateway/errors/app-error.ts';
import { overloaded } from '../../gateway/http/overload.ts';
import { htmlToMarkdown } from '../../gateway/operations/html-to-markdown/operation.ts';
import { createLogger } from '../../services/platform/process/logger.ts';
import { defined } from '../../workers/exact/defined.ts';
import { BODY, createBuyer, openSeller, SECRETS, termsOf } from '../gateway/access/channel/seller-fixture.ts';
import { createLedgerDatabase } from '../services/ledger/store/store-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

test('a call that is refused for lack of room makes no deposit, or its answer tells of the deposit', async (t) => {
  const seller = await openSeller(t, database);
  const terms = termsOf(seller.network);
  const unused = () => Promise.reject(new Error('not a part of this test'));
  const { payment } = createChannels({
    terms,
    publicUrls: [new URL('http://127.0.0.1:8402')],
    // The store has the methods of the client.
    ledger: seller.ledger as never,
    channels: {
      ...seller.contract.client,
      getTerms: unused,
      claim: unused,
      resolveRefund: unused,
      watch: unused,
      close() {},
    },
    backoffice: { getRetained: unused },
    execute: unused,
    // What a full gateway answers (gateway/admission/admission.ts).
    admission: { run: () => Promise.reject(overloaded('too many calls are in progress')) },
    freeze: { state: () => 'open' },
    secrets: SECRETS,
    now: Date.now,
    monotonicMs: () => performance.now(),
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  const origin = new URL('http://127.0.0.1:8402');
  const offer = createOffer({ operation: htmlToMarkdown, origin, terms, secrets: SECRETS });
  const request = {
    operation: htmlToMarkdown,
    offer,
    domain: origin.host,
    body: BODY,
    grantScope: undefined,
    requestId: uuidv7(),
    client: '192.0.2.1',
  };
  const presented = readPaymentPayload(JSON.parse(JSON.stringify(await createBuyer(seller).sign())));
  const error = await defined(payment)
    .run(request, presented)
    .then(() => undefined, toAppError);
  t.is(error?.code, 'OVERLOADED');
  t.log({ deposits: seller.contract.asked.deposit, headers: error?.headers });
  t.true(
    seller.contract.asked.deposit === 0 || 'payment-response' in (error?.headers ?? {}),
    'the deposit was made, and the client is not told',
  );
});
