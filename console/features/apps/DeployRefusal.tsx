import styled from '@emotion/styled';
import type { ReactNode } from 'react';
import type { May } from '../../api/session';
import { Notice } from '../../ui/feedback/Notice';
import { space } from '../../ui/theme';

const Above = styled('div')({ marginBottom: space(5) });

/** Above a form: why it can’t be sent. */
export const RefusalNotice = ({ title, children }: { title: string; children: ReactNode }) => (
  <Above>
    <Notice tone="attention" title={title}>
      {children}
    </Notice>
  </Above>
);

/** Above a form for deploying: the user’s role doesn’t allow it. Nothing if it does. */
export const DeployRefusal = ({ role }: { role: May }) =>
  role.allowed ? null : <RefusalNotice title="You can’t deploy in this team.">{role.reason}</RefusalNotice>;
