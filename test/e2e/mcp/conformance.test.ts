import test from 'ava';
import { defined } from '../../../workers/exact/defined.ts';
import { startToolApp } from '../../gateway/mcp/tool-app.ts';
import { runConformance } from './conformance.ts';
import { fixtures } from './fixture-tools.ts';

/** The scenarios for servers that only have tools. The tools of this test use the transport of the product's tools. */
const PASS = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'json-schema-2020-12',
  'dns-rebinding-protection',
];

const NO_STREAM = 'needs messages before the answer, but every answer is a single JSON text';
const NO_CLIENT_CALLS = 'needs requests from the server to the client, which need a stream';
const NO_RESOURCES = 'resources are not declared: tools read everything';
const NO_PROMPTS = 'prompts are not declared: the descriptions of tools explain their use';
const NO_SESSION = 'needs sessions or streams, but requests are independent of each other';

/** Scenarios of features that are not declared at `initialize`, with the reason. */
const DO_NOT_APPLY: Readonly<Record<string, string>> = {
  'logging-set-level': 'logging is not declared: logs are for the operator',
  'completion-complete': 'completions are not declared: there are no prompts or templates to complete',
  'tools-call-with-logging': NO_STREAM,
  'tools-call-with-progress': NO_STREAM,
  'tools-call-sampling': NO_CLIENT_CALLS,
  'tools-call-elicitation': NO_CLIENT_CALLS,
  'elicitation-sep1034-defaults': NO_CLIENT_CALLS,
  'elicitation-sep1330-enums': NO_CLIENT_CALLS,
  'server-sse-polling': NO_SESSION,
  'server-sse-multiple-streams': NO_SESSION,
  'resources-list': NO_RESOURCES,
  'resources-read-text': NO_RESOURCES,
  'resources-read-binary': NO_RESOURCES,
  'resources-templates-read': NO_RESOURCES,
  'resources-subscribe': NO_RESOURCES,
  'resources-unsubscribe': NO_RESOURCES,
  'prompts-list': NO_PROMPTS,
  'prompts-get-simple': NO_PROMPTS,
  'prompts-get-with-args': NO_PROMPTS,
  'prompts-get-embedded-resource': NO_PROMPTS,
  'prompts-get-with-image': NO_PROMPTS,
};

test('passes every conformance scenario that applies, and fails only the others', async (t) => {
  const app = await startToolApp(fixtures);
  t.teardown(() => app.close());
  const results = await runConformance(app.url);
  t.deepEqual([...results.keys()].toSorted(), [...PASS, ...Object.keys(DO_NOT_APPLY)].toSorted());
  for (const name of PASS) t.deepEqual(results.get(name), [], name);
  for (const [name, reason] of Object.entries(DO_NOT_APPLY))
    t.true(defined(results.get(name)).length > 0, `${name}: ${reason}`);
});
