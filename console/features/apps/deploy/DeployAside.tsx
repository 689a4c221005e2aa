import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Preflight } from '../../../../generated/api/types.gen';
import { useRunway } from '../../../api/runway';
import { useMay } from '../../../api/session';
import { parseMicros } from '../../../lib/billing/money';
import { AsidePanel, Facts } from '../../../ui/layout/AsidePanel';
import { Cost } from '../../../ui/data/Cost';
import { Bar } from '../../../ui/feedback/Skeletons';
import { color, space, type } from '../../../ui/theme';
import { instanceTypesOptions, sizesOf, usePreflight, withDefaultSize } from './queries';
import { useDeployForm } from './useDeployForm';

const Figure = styled('p')({ ...type.title, marginBottom: space(1) });
const Small = styled('p')({ ...type.caption, color: color.muted, marginTop: space(3) });

/** The cost card, updated as the form is filled in. */
export function DeployAside() {
  const { teamSlug = '' } = useParams({ strict: false });
  const [form] = useDeployForm(teamSlug);
  const { data: types } = useQuery(instanceTypesOptions());
  const may = useMay('cvms.write', teamSlug);
  const { data, isError, isPlaceholderData } = usePreflight(
    teamSlug,
    withDefaultSize(form, types ? sizesOf(types) : []),
  );
  return (
    <AsidePanel
      sections={[
        {
          title: 'Cost',
          content: (
            <div style={isPlaceholderData ? { opacity: 0.6 } : undefined}>
              {may.allowed && !isError ? (
                <CostFacts teamSlug={teamSlug} preflight={data} />
              ) : (
                <Small style={{ marginTop: 0 }}>
                  {may.allowed
                    ? 'The cost isn’t available right now.'
                    : 'Only roles that can deploy see the cost.'}
                </Small>
              )}
            </div>
          ),
        },
        {
          title: 'Before you deploy',
          content: (
            <Small style={{ marginTop: 0 }}>
              Pin images by digest so the compose hash identifies the code that runs. Ports listed under
              “ports” get a public address. Other files next to the Compose file aren’t uploaded.
            </Small>
          ),
        },
      ]}
    />
  );
}

function CostFacts({ teamSlug, preflight }: { teamSlug: string; preflight: Preflight | undefined }) {
  const lasts = useRunway(teamSlug, { more: parseMicros(preflight?.hourly_rate ?? '') ?? 0 });
  if (!preflight) return <Bar w={140} h={20} />;
  return (
    <>
      <Figure>
        <Cost usd={preflight.hourly_rate} per="hour" />
      </Figure>
      <Facts
        facts={[
          { label: 'Per month (730 hours)', value: <Cost usd={preflight.monthly_estimate} /> },
          {
            label: 'While stopped (disk only)',
            value: <Cost usd={preflight.stopped_disk_hourly} per="hour" />,
          },
          ...(lasts === undefined ? [] : [{ label: 'Balance would last', value: lasts }]),
          { label: 'Host', value: preflight.teepod_name ?? 'none available' },
        ]}
      />
      <Small>Metered per second while it runs.</Small>
    </>
  );
}
