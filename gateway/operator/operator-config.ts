import { Type } from 'typebox';
import {
  OperatorKeySetting,
  type OperatorKeys,
  readOperatorKeys,
} from '../../services/backoffice/contract/operator-keys.ts';
import { ConfigurationError } from '../../services/platform/process/environment.ts';

/** Environment of the operator's page. */
export const OperatorConfig = {
  ...OperatorKeySetting,
  OPERATOR_PAGE: Type.Optional(
    Type.Union([Type.Literal('off'), Type.Literal('public')], {
      description:
        'off: no /operator page. public: the page is also served on other addresses than loopback, which needs TLS before the gateway. Without it, a gateway with OPERATOR_KEY_HASHES serves the page on loopback only, and does not start elsewhere',
    }),
  ),
} as const;

/**
 * The keys of the page; undefined if it is not served.
 * @throws {ConfigurationError} if keys are configured for a gateway on other addresses than loopback, and nothing says
 *   whether it serves the page
 */
export function readOperatorPage(
  config: { readonly OPERATOR_KEY_HASHES?: string; readonly OPERATOR_PAGE?: 'off' | 'public' },
  isLoopback: boolean,
): OperatorKeys | undefined {
  const keys = readOperatorKeys(config.OPERATOR_KEY_HASHES);
  if (keys.length === 0 || config.OPERATOR_PAGE === 'off') return undefined;
  if (isLoopback || config.OPERATOR_PAGE === 'public') return keys;
  throw new ConfigurationError(
    'OPERATOR_PAGE: found nothing; with OPERATOR_KEY_HASHES, a gateway on other addresses than loopback needs public (serve the /operator page to holders of a key) or off',
  );
}
