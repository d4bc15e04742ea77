import { record } from '../../../../test/corpus/page-client.js';
import 'survey-core/survey-core.css';
import { Model } from 'survey-core';
import { renderSurvey } from 'survey-js-ui';

const survey = new Model({
  elements: [
    { type: 'text', name: 'text', title: 'Your name' },
    { type: 'text', name: 'number', inputType: 'number', title: 'Age' },
    { type: 'text', name: 'date', inputType: 'date', title: 'Birth date' },
    {
      type: 'text',
      name: 'income',
      maskType: 'numeric',
      maskSettings: { thousandsSeparator: ',', precision: 2 },
      title: 'Income',
    },
    {
      type: 'text',
      name: 'masked-date',
      maskType: 'datetime',
      maskSettings: { pattern: 'mm/dd/yyyy' },
      title: 'Start',
    },
    { type: 'dropdown', name: 'dropdown', title: 'Country', choices: ['Germany', 'France', 'Spain', 'Italy'] },
    { type: 'tagbox', name: 'tags', title: 'Languages', choices: ['English', 'German', 'French', 'Dutch'] },
    { type: 'boolean', name: 'boolean', title: 'Employed?' },
    { type: 'boolean', name: 'boolean-no', title: 'Smoker?' },
    { type: 'rating', name: 'rating', title: 'Rate us' },
    { type: 'checkbox', name: 'checkboxes', title: 'Pets', choices: ['Cat', 'Dog', 'Fish'] },
    { type: 'radiogroup', name: 'radio', title: 'Size', choices: ['Small', 'Medium', 'Large'] },
    { type: 'matrix', name: 'matrix', title: 'Agree?', columns: ['No', 'Maybe', 'Yes'], rows: ['Cheap', 'Fast'] },
    {
      type: 'matrixdropdown',
      name: 'table',
      title: 'Table',
      columns: [
        { name: 'Col1', cellType: 'text' },
        { name: 'Col2', cellType: 'dropdown', choices: ['x1', 'x2'] },
      ],
      rows: ['Row1'],
    },
    { type: 'comment', name: 'comment', title: 'Comment' },
    { type: 'slider', name: 'slider', title: 'Loudness' },
    { type: 'buttongroup', name: 'buttons', title: 'Buttons', choices: ['A1', 'B1', 'C1'] },
    { type: 'text', name: 'ranking-free', title: 'Anything else' },
  ],
});
renderSurvey(survey, document.getElementById('app'));
record(() => survey.data);
