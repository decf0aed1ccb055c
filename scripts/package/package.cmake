# What is installed, the target `uninstall`, and the Debian package of `cpack -G DEB`.
set(package ${PROJECT_SOURCE_DIR}/scripts/package)
set(own ${CMAKE_INSTALL_DATADIR}/pardup) # Slurm scripts, modules for Python and R

install(TARGETS pardup RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(PROGRAMS slurm/detect.sbatch slurm/array.sbatch DESTINATION ${own}/slurm)
install(FILES scripts/modules/pardup.py scripts/modules/pardup.R DESTINATION ${own})
install(FILES README.md CHANGELOG.md SUPPORT.md SECURITY.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Man pages and completion come from --help, so they need the program and Python.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND AND NOT CMAKE_CROSSCOMPILING)
    set(manual ${PROJECT_BINARY_DIR}/manual)
    add_custom_command(OUTPUT ${manual}/pardup.bash
        COMMAND ${Python3_EXECUTABLE} ${package}/manual.py $<TARGET_FILE:pardup> ${manual}
        DEPENDS pardup ${package}/manual.py ${package}/completion.bash ${PROJECT_SOURCE_DIR}/CITATION.cff
        COMMENT "Man pages and completion")
    add_custom_target(manual ALL DEPENDS ${manual}/pardup.bash)
    install(DIRECTORY ${manual}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
    install(FILES ${manual}/pardup.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME pardup)
else()
    message(STATUS "No Python 3: no man pages and no completion")
endif()

add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
                  -P ${package}/uninstall.cmake)

set(CPACK_PACKAGE_VENDOR "The pardup developers")
set(CPACK_PACKAGE_CONTACT "The pardup developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "find partial duplicates in large text collections")
set(CPACK_PACKAGE_DESCRIPTION
    "pardup finds passages that two documents share, word for word or nearly,\nand where each passage lies in both documents. It is a batch program for one machine or a cluster.")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# mpirun of the MPI that the program was built with; libraries are found by dpkg-shlibdeps
if(PARDUP_MPI AND "${MPI_C_INCLUDE_DIRS};${MPI_C_LIBRARIES}" MATCHES "mpich")
    set(CPACK_DEBIAN_PACKAGE_DEPENDS mpich)
elseif(PARDUP_MPI)
    set(CPACK_DEBIAN_PACKAGE_DEPENDS openmpi-bin)
endif()
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "poppler-utils, python3-h5py, r-cran-hdf5r, slurm-client")
set(CPACK_PRE_BUILD_SCRIPTS ${package}/debian.cmake)
include(CPack)
