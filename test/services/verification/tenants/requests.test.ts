import test from 'ava';
import { ServiceError } from '../../../../services/platform/grpc/service-error.ts';
import { SelectArguments } from '../../../../services/verification/contract/select.ts';
import { createArgumentsReader } from '../../../../services/verification/tenants/requests.ts';

const readSelection = createArgumentsReader(SelectArguments);

test('refuses a body with more values than any valid request', (t) => {
  const text = `{"scale":0,"items":[${'0,'.repeat(300_000)}0]}`;
  const error = t.throws(() => readSelection({ arguments: text }), { instanceOf: ServiceError });
  t.is(error.code, 'INVALID_JSON');
});

test('reads the largest selection that the schema allows', (t) => {
  const ids = Array.from({ length: 1000 }, (_, item) => `item-${item}`);
  const sums = Array.from({ length: 16 }, (_, sum) => `sum-${sum}`);
  const values = Object.fromEntries(sums.map((name) => [name, '1']));
  const selection = {
    scale: 0,
    items: ids.map((id) => ({ id, values })),
    capacities: sums.map((of) => ({ of, max: '1' })),
    require: ids,
    forbid: ids,
    at_most_one: Array.from({ length: 256 }, () => ids),
  };
  t.deepEqual(readSelection({ arguments: JSON.stringify(selection) }), selection);
});
