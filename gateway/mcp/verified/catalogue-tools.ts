import { Type } from 'typebox';
import { TableText } from '../../../services/verification/contract/catalogue.ts';
import * as examples from '../../verified/catalogue-examples.ts';
import { createTable } from '../../verified/tables.ts';
import { getTool, listTools } from '../../verified/tools.ts';
import type { VerifiedTool } from './verified-tool.ts';

export const catalogueTools: readonly VerifiedTool[] = [
  {
    name: 'svc_tool_list',
    endpoint: listTools,
    use: 'List the described tools before you write a plan: a plan may only use these, and tools of its own that have no effect. Any role.',
    example: {},
    answers:
      'tools [{name, version, sha256, effect, origin, limits}]. limits: what the tool may still do in this hour, day or week; left is null for a limit that each value of an argument has.',
  },
  {
    name: 'svc_tool_get',
    endpoint: getTool,
    use: 'Read the description of a tool: its arguments, what it returns, what it changes, and its limits. Any role.',
    args: { name: 'From svc_tool_list.', version: 'From svc_tool_list, such as 1.0.0.' },
    example: { name: examples.REFUND.name, version: examples.REFUND.version },
    answers: 'sha256, which a plan names, and tool {args, responds, effect, identity, limits, …}.',
  },
  {
    name: 'svc_create_table',
    endpoint: createTable,
    body: Type.Object({ text: TableText }, { additionalProperties: false }),
    textArgument: 'text',
    use: 'Store constant data that a plan refers to, such as approved invoices or addresses that may not be written to. Send large tables with POST /api/v1/tables instead. Role: agent or approver.',
    args: {
      text: 'JSON lines: one object a line, with the same columns in each. Values are strings, booleans or integers; write decimals as strings with the decimals of their type, such as "80.00".',
    },
    example: { text: examples.TABLE },
    answers: 'sha256, by which a plan names the table, rows and columns.',
    remedies: { MALFORMED_INPUT: 'Correct the line that the message names, and send the whole table again.' },
  },
];
