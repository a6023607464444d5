import test from 'ava';
import { startToolApp } from '../../gateway/mcp/tool-app.ts';
import { runConformance } from './conformance.ts';
import { fixtures } from './fixture-tools.ts';

/** Scenarios of what a server of tools offers, over the transport that the product's tools are served by. */
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

const NO_STREAM = 'wants messages before the answer, and an answer here is one JSON text';
const NO_CLIENT_CALLS = 'has the server ask the client, for which there is no channel without a stream';
const NO_RESOURCES = 'resources are not declared: what there is to read is read by tools';
const NO_PROMPTS = 'prompts are not declared: descriptions of tools say how they are used';
const NO_SESSION = 'wants sessions or streams to come back to, and each request here stands alone';

/** Those of features that are not declared at `initialize`, and why. */
const DO_NOT_APPLY: Readonly<Record<string, string>> = {
  'logging-set-level': 'logging is not declared: logs are the operator’s',
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

test('every scenario of the conformance suite that applies passes, and only those that do not fail', async (t) => {
  const app = await startToolApp(fixtures);
  t.teardown(() => app.close());
  const results = await runConformance(app.url);
  t.deepEqual([...results.keys()].toSorted(), [...PASS, ...Object.keys(DO_NOT_APPLY)].toSorted());
  for (const name of PASS) t.deepEqual(results.get(name), [], name);
  for (const [name, reason] of Object.entries(DO_NOT_APPLY)) t.not(results.get(name)?.length, 0, `${name}: ${reason}`);
});
