import { styled } from '@mui/material/styles';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Preflight } from '../../../generated/api/types.gen';
import { AsidePanel, Facts } from '../../ui/layout/AsidePanel';
import { Cost } from '../../ui/data/Cost';
import { Bar } from '../../ui/feedback/Skeletons';
import { color, space, type } from '../../ui/theme';
import { instanceTypesOptions, sizesOf, usePreflight, withDefaultSize } from './queries';
import { useDeployForm } from './useDeployForm';

const Figure = styled('p')({ ...type.title, marginBottom: space(1) });
const Small = styled('p')({ ...type.caption, color: color.muted, marginTop: space(3) });

/** The cost card: follows the form while it is filled in. */
export function DeployAside() {
  const { teamSlug = '' } = useParams({ strict: false });
  const [form] = useDeployForm(teamSlug);
  const { data: types } = useQuery(instanceTypesOptions());
  const { data, isPlaceholderData } = usePreflight(
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
              <CostFacts preflight={data} />
            </div>
          ),
        },
        {
          title: 'Before you deploy',
          content: (
            <Small style={{ marginTop: 0 }}>
              Images pinned by digest keep the compose hash true to the code that runs. Ports listed under
              “ports” get a public address. Files beside the compose file do not travel with it.
            </Small>
          ),
        },
      ]}
    />
  );
}

function CostFacts({ preflight }: { preflight: Preflight | undefined }) {
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
            label: 'While stopped, for the disk',
            value: <Cost usd={preflight.stopped_disk_hourly} per="hour" />,
          },
          { label: 'Host', value: preflight.teepod_name ?? 'none fits now' },
        ]}
      />
      <Small>Metered per second, from the first second it runs to the last.</Small>
    </>
  );
}
