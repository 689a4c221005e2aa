/** Said wherever something doesn't work because the team's AI API is off. */
export const AI_API_OFF = 'The AI API is off for this team.';
