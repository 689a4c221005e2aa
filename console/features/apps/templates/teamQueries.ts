import {
  getTeamTemplateOptions,
  listTeamTemplatesOptions,
} from '../../../../generated/api/@tanstack/react-query.gen';

export const teamTemplatesOptions = (slug: string) => ({
  ...listTeamTemplatesOptions({ path: { slug } }),
  staleTime: 30_000,
});

export const teamTemplateOptions = (slug: string, template_id: string) => ({
  ...getTeamTemplateOptions({ path: { slug, template_id } }),
  staleTime: 30_000,
});

/** Queries to invalidate when a team's templates change. */
export const TEAM_TEMPLATES = ['listTeamTemplates', 'getTeamTemplate', 'getAppTemplate'] as const;
