import { BarChart, BoxplotChart, ScatterChart } from 'echarts/charts';
import { GridComponent, MarkLineComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { EChartsOption } from 'echarts';

use([BarChart, BoxplotChart, ScatterChart, GridComponent, MarkLineComponent, SVGRenderer]);

/** A chart as an SVG document of `width` x `height` px, without a browser. Equal options give equal text. */
export function renderSvg(option: EChartsOption, width: number, height: number): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption(option);
    // ECharts numbers its charts per process; the number would make equal charts differ.
    return chart.renderToSVGString().replaceAll(/zr\d+-/g, 'zr-');
  } finally {
    chart.dispose();
  }
}
