import styled from '@emotion/styled';
import { TextLink } from '../../../console/ui/link';
import { color, type } from '../../../console/ui/theme';
import { adminHref } from '../../paths';

const Team = styled('span')({ ...type.caption, color: color.muted });

/** A CVM's name, then its team: a narrow column truncates the end. */
export const CvmOfTeam = ({ cvm }: { cvm: { vm_uuid: string; name: string; team_name: string } }) => (
  <>
    <TextLink href={adminHref.show('cvms', cvm.vm_uuid)}>{cvm.name}</TextLink> <Team>{cvm.team_name}</Team>
  </>
);
