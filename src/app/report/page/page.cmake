# The page of `pardup report` (src/app/report/page/) as an array of bytes in pd_app.
set(page ${PROJECT_SOURCE_DIR}/src/app/report/page)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page}/report.html ${page}/report.css ${page}/report.js)
foreach(part html css js)
    file(READ ${page}/report.${part} ${part})
endforeach()
string(REPLACE "@STYLE@" "${css}" html "${html}")
string(REPLACE "@SCRIPT@" "${js}" html "${html}")
file(WRITE ${PROJECT_BINARY_DIR}/report_page.html "${html}")
file(READ ${PROJECT_BINARY_DIR}/report_page.html hex HEX)
string(REGEX REPLACE "(..)" "0x\\1," hex "${hex}")
file(WRITE ${PROJECT_BINARY_DIR}/report_html.c
     "extern const unsigned char pd_report_html[];\nconst unsigned char pd_report_html[] = {${hex}0};\n")
target_sources(pd_app PRIVATE ${PROJECT_BINARY_DIR}/report_html.c)
