import styled from '@emotion/styled';
import { TOKEN_PATTERN } from '../../../lib/tokens';
import { brandName } from '../../../ui/brand/installation';
import { CodeBlock } from '../../../ui/code/CodeBlock';
import { Panel } from '../../../ui/layout/Panel';
import { color, space, type } from '../../../ui/theme';

const Stack = styled('div')({ display: 'grid', gap: space(3), maxWidth: 720 });
const Text = styled('p')({ ...type.body, color: color.muted });

/** The token pattern for secret scanners, so leaked tokens are found early. */
export function ScannerPanel() {
  return (
    <Panel title="Secret scanning">
      <Stack>
        <Text>
          Every {brandName()} token matches this pattern. The last six characters are a checksum, which rules
          out false positives. Add it to your repositories’ secret scanner.
        </Text>
        <CodeBlock code={TOKEN_PATTERN} title="Secret scanning pattern" />
      </Stack>
    </Panel>
  );
}
