import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { useSession } from '../../api/session';
import { PublicFrame } from '../../ui/layout/PublicFrame';
import { ToneChip } from '../../ui/feedback/StatusChip';
import { color, space, type } from '../../ui/theme';

const Foot = styled('span')({
  ...type.caption,
  display: 'inline-flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: space(3),
  color: color.muted,
});

/** The page around sign-in forms; says what kind of server this is. */
export function AuthFrame({ children }: { children: ReactNode }) {
  const { environment } = useSession();
  return (
    <PublicFrame
      footer={
        <Foot>
          <span>Teehouse {environment.version}</span>
          {environment.local_teepod && (
            <ToneChip tone="simulated" glyph="hatch">
              Local teepod, no hardware TEE
            </ToneChip>
          )}
        </Foot>
      }
    >
      {children}
    </PublicFrame>
  );
}
