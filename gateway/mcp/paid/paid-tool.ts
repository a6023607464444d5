import type { CallToolResult } from '@modelcontextprotocol/server';
import type { PaidToolOutcome, ToolAccess } from '../../access/tool-access.ts';
import { toAppError } from '../../errors/app-error.ts';
import type { Metrics } from '../../http/metrics.ts';
import { type Operation, toolNameOf } from '../../operations/operation/operation.ts';
import { toUsd } from '../../operations/operation/usd.ts';
import { listed } from '../listed-schema.ts';
import { toPaymentMeta } from '../payment-meta.ts';
import { type Tool, type ToolHints, toToolResult } from '../tool.ts';
import { answerSchemaOf } from './answer-schema.ts';

/** The member of `_meta` that has a payment (x402 version 2, MCP transport, tool-result binding). */
const PAYMENT = 'x402/payment';
/** The same transport's binding as an extension of the protocol. */
export const PAYMENT_EXTENSION = 'org.x402/payment';

/** Who calls, and in which request. */
export interface PaidContext {
  readonly host: string | undefined;
  readonly requestId: string;
  /** As in `AccessRequest`. */
  readonly client: string;
  /** As in `AccessRequest`. */
  readonly clientNetwork: string | undefined;
  /** Counts an unpaid call against its sender. @throws {AppError} RATE_LIMITED */
  readonly countUnpaid: () => Promise<void>;
  /** Counts a call with a payment until it is answered. @throws {AppError} RATE_LIMITED */
  readonly whileCounted: <Answer>(work: () => Promise<Answer>) => Promise<Answer>;
  /** Takes back one unpaid call of its sender, who has paid now. */
  readonly giveBack: () => void;
}

export interface PaidToolDeps {
  readonly access: ToolAccess;
  readonly countPaid: Metrics['countPaid'];
}

/** Operations change nothing that a caller can see, and repeating a payment repeats the same call. */
const HINTS: ToolHints = { readOnlyHint: true, openWorldHint: false };

/** An operation as a tool with a price per call. */
export function toPaidTool(operation: Operation, { access, countPaid }: PaidToolDeps): Tool<PaidContext> {
  const { summary, path, request, requestExample } = operation;
  return {
    name: toolNameOf(operation),
    title: summary,
    description: describe(operation),
    inputSchema: {
      ...listed(request),
      type: 'object',
      additionalProperties: false,
      examples: [requestExample],
    },
    outputSchema: answerSchemaOf(operation),
    structuresRefusals: true,
    annotations: HINTS,
    async call({
      args,
      meta,
      extensions,
      context: { host, requestId, client, clientNetwork, countUnpaid, whileCounted, giveBack },
    }) {
      const payment = meta[PAYMENT] ?? undefined;
      const count = (status: number) => payment === undefined || countPaid(path, status);
      const handle = () => access.handle({ operation, args, payment, host, requestId, client, clientNetwork });
      const outcome = await (payment === undefined ? handle() : whileCounted(handle)).catch((error: unknown) => {
        count(toAppError(error).statusCode);
        throw error;
      });
      count(outcome.kind === 'settled' ? 200 : 402);
      if (outcome.kind === 'settled' && !outcome.isRepeated) giveBack();
      if (outcome.kind === 'unpaid' && outcome.paymentResponseJson === undefined) await countUnpaid();
      return toResult(outcome, extensions.includes(PAYMENT_EXTENSION));
    },
  };
}

function toResult(outcome: PaidToolOutcome, speaksPayment: boolean): CallToolResult {
  const { paymentResponseJson } = outcome;
  const response = toPaymentMeta(paymentResponseJson);
  const meta = paymentResponseJson === undefined ? {} : { _meta: response };
  if (outcome.kind === 'settled') return { ...toToolResult(outcome.body.toString()), ...meta };
  if (speaksPayment) {
    return { content: [], resultType: 'payment_required', paymentRequired: outcome.required, ...meta };
  }
  return { ...toToolResult(JSON.stringify({ ...outcome.required, ...response })), ...meta, isError: true };
}

function describe({ description, path, priceMicroUsd }: Operation): string {
  return [
    description,
    `USD ${toUsd(priceMicroUsd)} per call in USDC. An unpaid call returns what to pay (accepts): send it again with the signed x402 payment in _meta["${PAYMENT}"]. Failed calls cost nothing. A wallet's free credit of USD 0.05 works over HTTP only: POST ${path}.`,
  ].join('\n');
}
