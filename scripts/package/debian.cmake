# Run by cpack before it packs: compressed man pages, no search path of libraries, and the Python module where Debian's Python looks.
if(CPACK_GENERATOR STREQUAL "DEB")
    set(stage ${CPACK_TEMPORARY_DIRECTORY}/usr)
    file(GLOB pages ${stage}/share/man/man1/*.1)
    if(pages)
        execute_process(COMMAND gzip -9n ${pages} COMMAND_ERROR_IS_FATAL ANY)
    endif()
    file(RPATH_REMOVE FILE ${stage}/bin/pardup) # a Debian package finds its libraries without
    file(MAKE_DIRECTORY ${stage}/lib/python3/dist-packages)
    file(CREATE_LINK ../../../share/pardup/pardup.py ${stage}/lib/python3/dist-packages/pardup.py SYMBOLIC)
endif()
