import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { type Static, Type } from 'typebox';
import { Check, Parse } from 'typebox/value';
import { parse } from 'yaml';
import { createTestFolder } from '../kit/test-folder.ts';
import { runCommand } from '../scripts/cli/tollhouse/run-command.ts';
import { DEPLOY, faultsOf, NAMES, PAY_TO, type Settings } from './check-program.ts';

const { path: folder, remove } = createTestFolder();
test.after.always(remove);

const Labels = Type.Record(Type.String(), Type.String());
const Named = Type.Object({ kind: Type.String(), metadata: Type.Object({ name: Type.String() }) });
const PodSpec = Type.Object({
  terminationGracePeriodSeconds: Type.Optional(Type.Number()),
  securityContext: Type.Unknown(),
  containers: Type.Tuple([
    Type.Object({
      args: Type.Array(Type.String()),
      env: Type.Optional(Type.Array(Type.Object({ name: Type.String(), value: Type.String() }))),
      securityContext: Type.Unknown(),
      readinessProbe: Type.Optional(Type.Unknown()),
      livenessProbe: Type.Optional(Type.Unknown()),
    }),
  ]),
  volumes: Type.Array(
    Type.Object({
      name: Type.String(),
      secret: Type.Optional(Type.Object({ items: Type.Optional(Type.Array(Type.Object({ key: Type.String() }))) })),
    }),
  ),
});
const Workload = Type.Object({
  spec: Type.Object({
    replicas: Type.Optional(Type.Number()),
    template: Type.Object({
      metadata: Type.Optional(Type.Object({ labels: Type.Optional(Labels) })),
      spec: PodSpec,
    }),
  }),
});
const Selector = Type.Object({
  matchLabels: Type.Optional(Labels),
  matchExpressions: Type.Optional(
    Type.Array(Type.Object({ key: Type.String(), operator: Type.String(), values: Type.Array(Type.String()) })),
  ),
});
const Policy = Type.Object({
  spec: Type.Object({
    podSelector: Selector,
    policyTypes: Type.Array(Type.String()),
    ingress: Type.Optional(
      Type.Array(
        Type.Object({
          ports: Type.Optional(Type.Unknown()),
          from: Type.Optional(Type.Array(Type.Object({ podSelector: Type.Optional(Selector) }))),
        }),
      ),
    ),
  }),
});

const Kustomization = Type.Object({
  resources: Type.Array(Type.String()),
  configMapGenerator: Type.Tuple([Type.Object({ literals: Type.Array(Type.String()) })]),
});
const List = Type.Object({ items: Type.Array(Type.Unknown()) });

const read = (file: string): unknown => parse(readFileSync(join(DEPLOY, 'kubernetes', file), 'utf8'));
const { resources, configMapGenerator } = Parse(Kustomization, read('kustomization.yaml'));
const shared: Settings = Object.fromEntries(
  configMapGenerator[0].literals.map((each) => [each.replace(/=.*/, ''), each.replace(/^.*?=/, '')]),
);
const all = resources.map(read).flatMap((each) => (Check(List, each) ? each.items : [each]));

const objects = (kind: string) =>
  all.flatMap((each) => {
    const named = Parse(Named, each);
    return named.kind === kind ? [{ name: named.metadata.name, object: each }] : [];
  });

const workloads = (kind: string) =>
  objects(kind).map(({ name, object }) => ({ name, ...Parse(Workload, object).spec }));

test('two copies of each program run with its settings, as nobody, and end in time', async (t) => {
  const secrets = join(folder, 'secrets');
  mkdirSync(secrets);
  await runCommand({}, ['keys', 'create', secrets]);
  renameSync(join(secrets, 'tls'), join(folder, 'tls'));
  const own = {
    'database-url': 'postgresql://tollhouse@postgres/tollhouse',
    'redis-url': 'redis://redis:6379',
    'rpc-url': 'https://rpc.example',
    signer: `0x${'4'.repeat(64)}`,
  };
  for (const [file, text] of Object.entries(own)) writeFileSync(join(secrets, file), text);

  const deployments = workloads('Deployment');
  const jobs = workloads('Job');
  t.deepEqual(deployments.map(({ name }) => name).toSorted(), NAMES.toSorted());
  t.deepEqual(
    jobs.map(({ template }) => template.spec.containers[0].args),
    [['database', 'migrate']],
  );
  for (const { template } of [...deployments, ...jobs]) {
    t.like(template.spec.securityContext, { runAsNonRoot: true });
    t.deepEqual(template.spec.containers[0].securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const files = template.spec.volumes.flatMap(({ secret }) => secret?.items?.map(({ key }) => key) ?? []);
    const named = (template.spec.containers[0].env ?? []).filter(({ name }) => name.endsWith('_FILE'));
    t.deepEqual(
      named.map(({ value }) => value),
      files.map((file) => `/etc/tollhouse/secrets/${file}`),
    );
  }
  for (const name of NAMES) {
    const found = deployments.find((each) => each.name === name);
    const [container] = found?.template.spec.containers ?? [];
    t.is(found?.replicas, 2);
    t.is(found?.template.spec.terminationGracePeriodSeconds, 75);
    t.deepEqual(container?.args, ['serve', name]);
    t.truthy(container?.readinessProbe && container.livenessProbe);
    const env = Object.fromEntries((container?.env ?? []).map(({ name: key, value }) => [key, value]));
    const settings: Settings = { HOST: '0.0.0.0', ...shared, X402_PAY_TO: PAY_TO, ...env };
    t.is(await faultsOf(name, settings, folder), '[]', name);
  }
});

type PodSelector = Static<typeof Selector>;

/** Whether a selector takes the pods of a program. */
function takes({ matchLabels = {}, matchExpressions = [] }: PodSelector, labels: Settings): boolean {
  const isIn = ({ key, values }: { readonly key: string; readonly values: readonly string[] }) =>
    values.includes(String(labels[key]));
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every((each) => (each.operator === 'In' ? isIn(each) : each.operator === 'NotIn' && !isIn(each)))
  );
}

test('only the gateway and the back office may call payments', (t) => {
  const pods = workloads('Deployment').map(({ template }) => template.metadata?.labels ?? {});
  const policies = objects('NetworkPolicy').map(({ object }) => Parse(Policy, object).spec);
  const policed = (labels: Settings, type: string) =>
    policies.filter((each) => each.policyTypes.includes(type) && takes(each.podSelector, labels));
  const callersOf = (labels: Settings) =>
    policed(labels, 'Ingress').flatMap(({ ingress = [] }) =>
      ingress.flatMap(({ from }) =>
        from === undefined
          ? ['all']
          : from.flatMap(({ podSelector }) =>
              podSelector === undefined
                ? []
                : pods.filter((pod) => takes(podSelector, pod)).map((pod) => String(pod['program'])),
            ),
      ),
    );
  for (const labels of pods) t.true(policed(labels, 'Ingress').length > 0);
  const callers = Object.fromEntries(pods.map((pod) => [String(pod['program']), callersOf(pod).toSorted()]));
  t.deepEqual(callers, {
    gateway: ['all'],
    content: ['gateway'],
    maps: ['gateway'],
    payments: ['backoffice', 'gateway'],
    backoffice: ['gateway'],
    verification: ['backoffice', 'gateway'],
  });
  const isSilent = (pod: Settings) => policed(pod, 'Egress').length > 0;
  t.deepEqual(
    pods
      .filter(isSilent)
      .map((pod) => pod['program'])
      .toSorted(),
    ['content', 'maps'],
  );
});
