import styled from '@emotion/styled';
import { useParams } from '@tanstack/react-router';
import { useSession } from '../../../api/session';
import { deployPath, tokensPath } from '../../../lib/paths';
import { secretReaders } from '../../../lib/secrets/privacy';
import { AsidePanel, Facts } from '../../../ui/layout/AsidePanel';
import { TextLink } from '../../../ui/link';
import { color, space, type } from '../../../ui/theme';

const Text = styled('p')({ ...type.small, color: color.muted, '& + &': { marginTop: space(2) } });
const Links = styled('ul')({ ...type.small, display: 'grid', gap: space(2) });

/** Context shared by all launch options. */
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
              <Text>You review cost, host and size on the deploy page before anything starts.</Text>
              <Text>
                Secrets are encrypted in this browser. {secretReaders(local_teepod ? 'either' : 'tee')}
              </Text>
              {local_teepod && (
                <Text>The local teepod has no hardware TEE. CVMs on it are labeled as simulated.</Text>
              )}
            </>
          ),
        },
        {
          title: 'This server',
          content: <Facts facts={[{ label: 'API address', copy: `${public_url}/api/v1` }]} />,
        },
        {
          title: 'Next steps',
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
