import type { AiCatalog, AiModel, AiModelFacts } from '../../../generated/api/types.gen';
import { count, counted } from '../../lib/texts/count';
import type { Fact } from '../../ui/data/KeyValue';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { percent, uptimeFacts } from './uptimeFacts';

const gpuText = (gpus: AiModelFacts['gpus']): string =>
  gpus === null
    ? 'Unknown: not in a CVM of this cloud'
    : gpus.length === 0
      ? 'None'
      : gpus.map((gpu) => `${count(gpu.count)} × ${gpu.name}`).join(', ');

/** Returns what a model runs on. */
const hardwareFacts = ({ gpus, attested_since }: AiModelFacts, is_in_tee: boolean): Fact[] => [
  { label: 'GPU', value: gpuText(gpus) },
  {
    label: 'Attested since',
    value: !is_in_tee ? (
      'Not attested'
    ) : attested_since === null ? (
      'No verified answer yet'
    ) : (
      <RelativeTime at={attested_since} />
    ),
  },
];

/** Returns what is measured about a model. */
function measuredFacts(
  facts: AiModelFacts,
  { days, min_requests }: Pick<AiCatalog, 'days' | 'min_requests'>,
  model: Pick<AiModel, 'is_built_in' | 'is_in_tee'>,
): Fact[] {
  const { answered_share, first_token_ms, tokens_per_second, is_responding } = facts;
  const isMeasured = answered_share !== null;
  return [
    ...(is_responding === null
      ? []
      : [
          {
            label: 'Last check',
            value: (
              <>
                {is_responding ? 'Responded ' : 'No response '}
                <RelativeTime at={facts.checked_at} />
              </>
            ),
          },
        ]),
    ...uptimeFacts(facts.uptime, model),
    {
      label: `Requests answered, ${days} days`,
      value: isMeasured
        ? percent(answered_share)
        : `Fewer than ${counted(min_requests, ['request', 'requests'])}`,
    },
    ...(first_token_ms === null
      ? []
      : [{ label: 'First byte, median', value: `${count(first_token_ms)} ms` }]),
    ...(tokens_per_second === null
      ? []
      : [{ label: 'Speed, median', value: `${counted(tokens_per_second, ['token', 'tokens'])}/s` }]),
  ];
}

/** Returns a model's facts in the catalog, which has none if it couldn't be loaded. */
export function catalogFacts(
  catalog: AiCatalog | undefined,
  id: string,
  model: Pick<AiModel, 'is_built_in' | 'is_in_tee'>,
): { hardware: Fact[]; measured: Fact[] } {
  const facts = catalog?.models.find((one) => one.id === id);
  return catalog && facts
    ? { hardware: hardwareFacts(facts, model.is_in_tee), measured: measuredFacts(facts, catalog, model) }
    : { hardware: [], measured: [] };
}
