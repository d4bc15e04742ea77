import { sendJson } from '../../../../test/corpus/page-client.js';
import 'survey-core/survey-core.css';
import { Model } from 'survey-core';
import { renderSurvey } from 'survey-js-ui';

const survey = new Model({
  firstPageIsStarted: false,
  completeText: 'Send',
  elements: [
    { type: 'text', name: 'name', title: 'Full name', isRequired: true },
    {
      type: 'text',
      name: 'email',
      title: 'Email address',
      inputType: 'email',
      isRequired: true,
      validators: [{ type: 'email' }],
    },
    { type: 'text', name: 'amount', title: 'Amount', inputType: 'number', min: 1, max: 100 },
  ],
});
survey.addNavigationItem({ id: 'start', title: 'Start', action: () => survey.render(document.getElementById('app')) });
survey.onServerValidateQuestions.add(async (_, { data, errors, complete }) => {
  const answer = await sendJson(data);
  Object.assign(errors, answer.errors);
  survey.completedHtml = `<h3>${answer.message ?? ''}</h3>`;
  if (Object.keys(answer.errors).length > 0 || answer.message) complete();
});
renderSurvey(survey, document.getElementById('app'));
