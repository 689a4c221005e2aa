import { styled } from '@mui/material/styles';
import { useParams } from '@tanstack/react-router';
import { useSession } from '../../api/session';
import { deployPath, tokensPath } from '../../lib/paths';
import { AsidePanel, Facts } from '../../ui/layout/AsidePanel';
import { TextLink } from '../../ui/link';
import { color, space, type } from '../../ui/theme';

const Text = styled('p')({ ...type.small, color: color.muted, '& + &': { marginTop: space(2) } });
const Links = styled('ul')({ ...type.small, display: 'grid', gap: space(2) });

/** What is the same whichever way one starts. */
export function LaunchAside() {
  const { teamSlug = '' } = useParams({ strict: false });
  const { public_url, local_teepod } = useSession().environment;
  return (
    <AsidePanel
      sections={[
        {
          title: 'What happens',
          content: (
            <>
              <Text>
                Every way ends on the deploy page: cost, host and size are shown before anything starts.
              </Text>
              <Text>Secrets are encrypted in this browser. Only the CVM can read them.</Text>
              {local_teepod && (
                <Text>The local teepod has no hardware TEE: what runs there is labelled as simulated.</Text>
              )}
            </>
          ),
        },
        {
          title: 'This server',
          content: <Facts facts={[{ label: 'API address', copy: `${public_url}/api/v1` }]} />,
        },
        {
          title: 'Go on',
          content: (
            <Links>
              <li>
                <TextLink href={deployPath(teamSlug)}>Deploy page</TextLink>
              </li>
              <li>
                <TextLink href={tokensPath(teamSlug)}>API tokens</TextLink>
              </li>
              <li>
                <TextLink href="/docs">API reference</TextLink>
              </li>
            </Links>
          ),
        },
      ]}
    />
  );
}
