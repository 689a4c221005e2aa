import styled from '@emotion/styled';
import { useSession } from '../../../api/session';
import { CodeBlock } from '../../../ui/code/CodeBlock';
import { Panel } from '../../../ui/layout/Panel';
import { color, space, type } from '../../../ui/theme';
import { commands } from './commands';

const Steps = styled('ol')({
  display: 'grid',
  gap: space(4),
  maxWidth: 720,
  '& > li': { minWidth: 0 },
});
const Text = styled('p')({ ...type.body, color: color.muted, marginBottom: space(1.5) });

/** Commands for the published CLI, with this server's address. */
export function CliOption() {
  const { public_url } = useSession().environment;
  const { login, deploy, follow, pipeline } = commands(public_url);
  return (
    <Panel title="The command line" subtitle="Works with the published phala CLI. Requires Node.js.">
      <Steps>
        <li>
          <Text>Sign in. Compare the code on the page that opens, then approve.</Text>
          <CodeBlock title="Sign in" code={login} />
        </li>
        <li>
          <Text>
            Deploy a Compose file. Values passed with -e are encrypted before they leave your computer.
          </Text>
          <CodeBlock title="Deploy" code={deploy} />
        </li>
        <li>
          <Text>Follow its logs.</Text>
          <CodeBlock title="Follow the log" code={follow} />
        </li>
        <li>
          <Text>In CI, use an API token instead of signing in.</Text>
          <CodeBlock title="Pipeline" code={pipeline} />
        </li>
      </Steps>
    </Panel>
  );
}
